const percent = (fraction: number) => `${Math.round(fraction * 100)}%`;

/** What maps say. */
export const mapTexts = {
  skip: 'Skip the map',
  share: (from: number, below: number): string =>
    below >= 1
      ? `${percent(from)} or more`
      : from === 0
        ? `below ${percent(below)}`
        : `${percent(from)} to ${percent(below)}`,
  unrated: 'too few ratings, or old prices',
  land: 'no prices',
  borders: 'Borders and names imply no opinion about any country or territory.',
  unit: 'Share of rated food prices that are high: by IFPA, or alert or crisis by ALPS',
  note: (date: string | null, revision: number | undefined): string =>
    [
      'Calculated from the food prices of all sources',
      date === null ? '.' : `, to ${date}.`,
      revision === undefined ? '' : ` Revision ${revision}.`,
    ].join(''),
  label: (name: string, month: string, counts: string): string => `${name}, ${month}. High prices: ${counts}`,
  notRated: (name: string, date: string): string => `${name}: not rated, newest price ${date}`,
  calculating: (name: string, date: string): string => `${name}: being calculated, newest price ${date}`,
};
