import {
  type ExplainedSeries,
  mean,
  monthsBefore,
  type Recomputed,
  recomputedPrices,
  rounded,
  sampleDeviation,
} from './recomputation.js';

interface Dated {
  date: string;
}
interface Growth extends Dated {
  months: number;
  history: (Dated & { weight: number })[];
  n: number;
}
interface ExplainedIfpa {
  gamma: number;
  quarterly: Growth;
  annual: Growth;
}
interface ExplainedAlps extends Dated {
  calendar_month: number;
  fit: { first_month: string; last_month: string };
}

/** What an observation says of its numbers. */
export interface ExplainedFields {
  value?: { price: Dated };
  change_1m?: { price: Dated; before: Dated };
  change_3m?: { price: Dated; before: Dated };
  change_12m?: { price: Dated; before: Dated };
  mean_5y?: { prices: Dated[] };
  mean_5y_years?: { prices: Dated[] };
  against_mean_5y?: { price: Dated; prices: Dated[] };
  seasonal_index?: { calendar_month: number };
  volatility_12m?: { log_changes: Dated[] };
  ifpa?: ExplainedIfpa;
  alps?: ExplainedAlps;
  /** Of a year. */
  months?: { date: string; ifpa: ExplainedIfpa }[];
}

interface ExplainedObservation {
  explain: ExplainedFields;
  ifpa?: number | { value: number | null; quarterly: number; annual: number } | null;
  alps?: { value: number | null; expected: number };
  [field: string]: unknown;
}

/** The reply of `PriceSerieIndicator/{uuid}/?explain=true`. */
export interface ExplainedIndicators {
  settings: { measure: string; per: string; break_date: string | null; annual: boolean };
  seasonal: { index: number[] | null };
  observations: ExplainedObservation[];
  explain: {
    formulas: Record<string, string>;
    seasonal: { ratios: Dated[] }[] | null;
    series: [ExplainedSeries];
  };
}

/**
 * Recomputes all numbers of a reply from nothing but its explanation: stored points, rates,
 * indices, dates and weights. Written from the formulas, with nothing of the service.
 */
export function recomputedIndicators({
  settings,
  seasonal,
  observations,
  explain,
}: ExplainedIndicators): Recomputed[] {
  const numbers: Recomputed[] = [];
  const add = (name: string, given: unknown, recomputed: number, terms?: number) => {
    if (given !== null && given !== undefined)
      numbers.push({ name, given: given as number, recomputed, terms });
  };
  const [series] = explain.series;
  const prices = recomputedPrices(series, settings, (number) => numbers.push(number));
  const value = ({ date }: Dated) => prices.get(date)?.value ?? NaN;
  const real = (date: string) => prices.get(date)?.real ?? NaN;
  const level = (date: string) =>
    (prices.get(date)?.nominal ?? NaN) * (settings.per === 'base' ? (series.unit_factor ?? NaN) : 1);

  const indices = explain.seasonal && seasonalIndices(explain.seasonal, (date) => value({ date }));
  indices?.forEach((index, at) => add('seasonal.index', seasonal.index![at], index));

  const ifpa = (explained: ExplainedIfpa) => {
    const [quarterly, annual] = [score(explained.quarterly, real), score(explained.annual, real)];
    return { quarterly, annual, value: explained.gamma * quarterly + (1 - explained.gamma) * annual };
  };
  for (const observation of observations) {
    const { explain: of } = observation;
    if (of.months !== undefined) {
      add('ifpa of a year', observation.ifpa, mean(of.months.map((month) => ifpa(month.ifpa).value)));
      continue;
    }
    if (of.value) add('value', observation.value, value(of.value.price));
    for (const change of ['change_1m', 'change_3m', 'change_12m'] as const) {
      const parts = of[change];
      if (parts) add(change, observation[change], value(parts.price) / value(parts.before) - 1);
    }
    if (of.mean_5y) add('mean_5y', observation.mean_5y, mean(of.mean_5y.prices.map(value)));
    if (of.mean_5y_years) add('mean_5y_years', observation.mean_5y_years, of.mean_5y_years.prices.length);
    if (of.against_mean_5y) {
      const { price, prices: earlier } = of.against_mean_5y;
      add('against_mean_5y', observation.against_mean_5y, value(price) / mean(earlier.map(value)) - 1);
    }
    if (of.seasonal_index)
      add('seasonal_index', observation.seasonal_index, indices![of.seasonal_index.calendar_month - 1]!);
    if (of.volatility_12m) {
      const changes = of.volatility_12m.log_changes.map(
        ({ date }) => Math.log(value({ date })) - Math.log(value({ date: monthsBefore(date, 1) })),
      );
      add('volatility_12m', observation.volatility_12m, sampleDeviation(changes));
    }
    if (of.ifpa) {
      const given = observation.ifpa as { value: number; quarterly: number; annual: number };
      const recomputed = ifpa(of.ifpa);
      add('ifpa.quarterly', given.quarterly, recomputed.quarterly);
      add('ifpa.annual', given.annual, recomputed.annual);
      add('ifpa', given.value, recomputed.value);
    }
    if (of.alps) {
      const recomputed = alps(of.alps, settings.break_date, [...prices.keys()], level);
      add('alps.expected', observation.alps!.expected, recomputed.expected);
      add('alps', observation.alps!.value, recomputed.value, recomputed.terms);
    }
  }
  return numbers.map((number) => ({ ...number, recomputed: rounded(number.recomputed) }));
}

function seasonalIndices(months: readonly { ratios: Dated[] }[], price: (date: string) => number): number[] {
  const movingAverage = (date: string) => {
    let sum = (price(monthsBefore(date, 6)) + price(monthsBefore(date, -6))) / 2;
    for (let offset = -5; offset <= 5; offset++) sum += price(monthsBefore(date, -offset));
    return sum / 12;
  };
  const means = months.map(({ ratios }) => mean(ratios.map(({ date }) => price(date) / movingAverage(date))));
  const total = means.reduce((sum, one) => sum + one, 0);
  return means.map((one) => (one * 12) / total);
}

/** The distance of a growth rate from those of earlier years, in standard deviations. */
function score({ date, months, history, n }: Growth, price: (date: string) => number): number {
  const growth = (at: string) => (price(at) / price(monthsBefore(at, months))) ** (1 / months) - 1;
  const ranks = (n * (n + 1)) / 2;
  history.forEach(({ weight }, index) => {
    if (Math.abs((weight * ranks) / (index + 1) - 1) > 1e-12) throw new Error(`Weight ${weight} of ${n}.`);
  });
  const known = history
    .map((earlier) => ({ rate: growth(earlier.date), weight: earlier.weight }))
    .filter(({ rate }) => !Number.isNaN(rate));
  const centre = known.reduce((sum, { rate, weight }) => sum + weight * rate, 0);
  const squares = known.reduce((sum, { rate, weight }) => sum + weight * (rate - centre) ** 2, 0);
  return (growth(date) - centre) / Math.sqrt(squares / ((n - 1) / n));
}

/** Ordinary least squares of trend, months and break, by the deviations from the months' means. */
function alps(
  { date, fit }: ExplainedAlps,
  breakDate: string | null,
  dates: readonly string[],
  price: (date: string) => number,
) {
  const months = (of: string) => Number(of.slice(0, 4)) * 12 + Number(of.slice(5, 7));
  const first = months(fit.first_month);
  const row = (of: string) => ({
    calendar: of.slice(5, 7),
    t: months(of) - first,
    p: price(of),
    b: breakDate !== null && of.slice(0, 7) >= breakDate ? 1 : 0,
  });
  const fitted = dates.filter((of) => of >= fit.first_month && of <= fit.last_month).map(row);
  const means = (calendar: string) => {
    const same = fitted.filter((one) => one.calendar === calendar);
    return {
      t: mean(same.map(({ t }) => t)),
      p: mean(same.map(({ p }) => p)),
      b: mean(same.map(({ b }) => b)),
    };
  };
  const byMonth = new Map(fitted.map(({ calendar }) => [calendar, means(calendar)]));
  const sums = { tt: 0, tp: 0, tb: 0, bb: 0, bp: 0 };
  for (const { calendar, t, p, b } of fitted) {
    const centre = byMonth.get(calendar)!;
    const [dt, dp, db] = [t - centre.t, p - centre.p, b - centre.b];
    sums.tt += dt * dt;
    sums.tp += dt * dp;
    sums.tb += dt * db;
    sums.bb += db * db;
    sums.bp += db * dp;
  }
  const determinant = sums.tt * sums.bb - sums.tb * sums.tb;
  const hasBreak = sums.bb > 0 && determinant > 1e-12 * sums.tt * sums.bb;
  const alpha = hasBreak
    ? (sums.tp * sums.bb - sums.bp * sums.tb) / determinant
    : sums.tt > 0
      ? sums.tp / sums.tt
      : 0;
  const step = hasBreak ? (sums.bp * sums.tt - sums.tp * sums.tb) / determinant : 0;
  const expected = ({ calendar, t, b }: ReturnType<typeof row>) => {
    const centre = byMonth.get(calendar)!;
    return centre.p + alpha * (t - centre.t) + step * (b - centre.b);
  };
  const squares = fitted.reduce((sum, one) => sum + (one.p - expected(one)) ** 2, 0);
  const sd = Math.sqrt(squares / (fitted.length - 1));
  const at = row(date);
  return { expected: expected(at), value: (at.p - expected(at)) / sd, terms: at.p / sd };
}
