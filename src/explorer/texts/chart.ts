/** What charts say. */
export const chartTexts = {
  empty: 'There are no prices to show here.',
  summary: (points: number, from: string, to: string, unit: string, range: [string, string]): string =>
    `${points.toLocaleString('en')} ${points === 1 ? 'price' : 'prices'} from ${from} to ${to}, between ${range[0]} and ${range[1]} ${unit}.`,
  note: (source: string, date: string | null, revision: number): string =>
    `Source: ${source}${date === null ? '' : `, to ${date}`}. Revision ${revision}.`,
  lines: (names: readonly string[], unit: string): string => `${unit}: ${names.join(', ')}.`,
  band: 'Same month, 5 years before',
  marks:
    'A circle marks a price that something looks wrong about, a square on its corner one that a maintainer has corrected: see the remarks in the table.',
  months: ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
};
