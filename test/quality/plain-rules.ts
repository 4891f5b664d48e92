/*
 * The rules on monthly points and on groups of them a second time, without code of the service: for
 * the comparison of what both find in published data.
 */

/** A series with its original monthly points in the order of their dates. */
export interface PlainSeries {
  uuid: string;
  country: string;
  market: number;
  commodity: string;
  category: string;
  currency: string;
  points: PlainPoint[];
}

export interface PlainPoint {
  /** YYYY-MM-DD */
  date: string;
  value: number;
}

/** What the rules find: each finding as its points, `uuid date`, in alphabetical order. */
export type PlainFindings = Record<string, string[]>;

interface Outlier {
  series: PlainSeries;
  date: string;
  value: number;
  middle: number;
  r: number;
}

const monthNumber = (date: string) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));

function medianOf(numbers: number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const n = sorted.length;
  if (n % 2 === 1) return sorted[(n - 1) / 2]!;
  return (sorted[n / 2 - 1]! + sorted[n / 2]!) / 2;
}

/** Applies the rules of section 2 to some series. */
export function plainFindings(all: PlainSeries[]): PlainFindings {
  const found: PlainFindings = {};
  const add = (rule: string, points: { series: PlainSeries; date: string }[]) => {
    const names = points.map(({ series, date }) => `${series.uuid} ${date}`);
    (found[rule] ??= []).push(names.sort().join(', '));
  };
  const outliers: Outlier[] = [];
  const testable: Record<string, number> = {};
  const steps: Record<string, { both: number; powers: { series: PlainSeries; date: string }[] }> = {};

  for (const series of all) {
    const points = series.points;
    for (let i = 0; i < points.length; i++) {
      const { date, value } = points[i]!;
      const month = monthNumber(date);
      const here = [{ series, date }];

      const before: number[] = [];
      for (let j = i - 1; j >= 0 && before.length < 3; j--)
        if (month - monthNumber(points[j]!.date) <= 6) before.push(points[j]!.value);
      const after: number[] = [];
      for (let j = i + 1; j < points.length && after.length < 3; j++)
        if (monthNumber(points[j]!.date) - month <= 6) after.push(points[j]!.value);
      if (before.length >= 1 && after.length >= 1 && before.length + after.length >= 3) {
        const place = `${series.country} ${month}`;
        testable[place] = (testable[place] ?? 0) + 1;
        const middle = medianOf([...before, ...after]);
        const r = value / middle;
        const sides = medianOf(after) / medianOf(before);
        if (sides > 0.5 && sides < 2) {
          if (r >= 2.5 || r <= 0.4) outliers.push({ series, date, value, middle, r });
          const least = series.category.toLowerCase() === 'vegetables and fruits' ? 4 : 3;
          if (r >= 5 || r <= 1 / 5) {
            add('spike', here);
            const n = Math.round(Math.log10(r));
            if (n !== 0 && Math.abs(r / Math.pow(10, n) - 1) <= 0.15) add('decimal_slip', here);
          } else if (r >= least || r <= 1 / least) add('spike_possible', here);
        }
      }

      if (points.length >= 4 && (i === 0 || i === points.length - 1)) {
        const three = i === 0 ? points.slice(1, 4) : points.slice(i - 3, i);
        const values = three.map((point) => point.value);
        const close = three.every((point) => Math.abs(monthNumber(point.date) - month) <= 6);
        const ratio = value / medianOf(values);
        if (close && Math.max(...values) / Math.min(...values) < 1.5 && (ratio >= 3 || ratio <= 1 / 3))
          add('edge_spike', here);
      }

      if (i >= 4) {
        const earlier: number[] = [];
        for (let j = i - 1; j >= 0 && earlier.length < 6; j--)
          if (month - monthNumber(points[j]!.date) <= 8) earlier.push(points[j]!.value);
        const later: number[] = [];
        for (let j = i; j < points.length && later.length < 6; j++)
          if (monthNumber(points[j]!.date) - month <= 8) later.push(points[j]!.value);
        const last = points[i - 1]!;
        if (earlier.length >= 4 && later.length >= 4 && month - monthNumber(last.date) <= 3) {
          const ratio = medianOf(later) / medianOf(earlier);
          const up = later.every((x) => earlier.every((y) => x > 1.5 * y));
          const down = later.every((x) => earlier.every((y) => x < y / 1.5));
          if (ratio >= 2.5 && up && value / last.value >= 2) add('level_shift', here);
          if (ratio <= 0.4 && down && value / last.value <= 0.5) add('level_shift', here);
        }
      }

      if (i > 0 && month - monthNumber(points[i - 1]!.date) === 1) {
        const place = `${series.country} ${series.currency} ${month}`;
        const step = (steps[place] ??= { both: 0, powers: [] });
        step.both++;
        const ratio = value / points[i - 1]!.value;
        const n = Math.round(Math.log10(ratio));
        if (n !== 0 && Math.abs(ratio / Math.pow(10, n) - 1) <= 0.15) step.powers.push({ series, date });
      }
    }

    let run = 0;
    for (let i = 0; i < points.length; i++) {
      const previous = points[i - 1];
      const goesOn =
        previous !== undefined &&
        previous.value === points[i]!.value &&
        monthNumber(points[i]!.date) - monthNumber(previous.date) === 1;
      run = goesOn ? run + 1 : 1;
    }
    if (run >= 24) add('flat', [{ series, date: points.at(-1)!.date }]);
  }

  const batches: Record<string, Outlier[]> = {};
  const months: Record<string, Outlier[]> = {};
  for (const outlier of outliers) {
    const { series, date } = outlier;
    (batches[`${series.country} ${series.commodity} ${monthNumber(date)}`] ??= []).push(outlier);
    (months[`${series.country} ${monthNumber(date)}`] ??= []).push(outlier);
  }
  for (const group of Object.values(batches)) if (group.length >= 3) add('batch', group);
  for (const [place, group] of Object.entries(months))
    if (group.length >= 5 && group.length / testable[place]! >= 0.05) add('month_suspect', group);

  // Each price with the one that fits best, of equal ones the first by uuid and date.
  const pairs = new Set<string>();
  for (const a of outliers) {
    const fitting = outliers.flatMap((b) => {
      if (a.series.market !== b.series.market || monthNumber(a.date) !== monthNumber(b.date)) return [];
      if (a.series.commodity === b.series.commodity) return [];
      if (![a, b].every(({ r }) => r >= 3 || r <= 1 / 3)) return [];
      const distances = [a.value / b.middle, b.value / a.middle].map((ratio) => Math.abs(Math.log(ratio)));
      const isNear = distances.every((distance) => distance < 0.35);
      return isNear ? [{ b, distance: distances[0]! + distances[1]! }] : [];
    });
    const name = ({ series, date }: Outlier) => `${series.uuid} ${date}`;
    fitting.sort((x, y) => x.distance - y.distance || (name(x.b) < name(y.b) ? -1 : 1));
    const [first] = fitting;
    if (first === undefined) continue;
    const key = [name(a), name(first.b)].sort().join(' ');
    if (!pairs.has(key)) add('swapped', [a, first.b]);
    pairs.add(key);
  }

  for (const { both, powers } of Object.values(steps))
    if (both >= 2 && powers.length >= both / 2) add('redenomination', powers);

  for (const list of Object.values(found)) list.sort();
  return found;
}
