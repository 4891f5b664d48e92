/** A price in an explanation. */
interface ExplainedPrice {
  date: string;
  price_value: number;
  n: number;
  stored_points: { price_value: number; factor: number }[];
  price_value_dollar: number | null;
  exchange_rate: { rate: number; units: number; rows: { rate: number }[] } | null;
  price_value_real: number | null;
  index: { value: number } | null;
  us_index: { value: number } | null;
  value: number | null;
}

/** An explained series. */
export interface ExplainedSeries {
  uuid: string;
  unit_factor: number | null;
  prices: ExplainedPrice[];
}

/** The prices of a month, made of stored points, rates and indices alone; NaN if there is none. */
export interface RecomputedPrice {
  nominal: number;
  real: number;
  dollar: number;
  /** In the measure, and per unit or base. */
  value: number;
}

/** A number of a reply, and what its explanation gives. */
export interface Recomputed {
  name: string;
  given: number;
  recomputed: number;
  /**
   * Of a difference, the size of its terms in the unit of the number: a small difference of large
   * terms has fewer digits than they.
   */
  terms?: number;
}

/** The service rounds numbers to 15 significant digits. */
export const rounded = (value: number): number => Number(value.toPrecision(15));

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

export const sampleDeviation = (values: readonly number[]): number => {
  const centre = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1));
};

/** A date some months before another, both the first of a month. */
export function monthsBefore(date: string, months: number): string {
  const [year, month] = date.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 10);
}

/**
 * Recomputes the prices of an explained series by date, from what was stored and published.
 * @param onNumber called for each number that the explanation gives
 */
export function recomputedPrices(
  { unit_factor, prices }: ExplainedSeries,
  { measure, per }: { measure: string; per: string },
  onNumber: (number: Recomputed) => void,
): Map<string, RecomputedPrice> {
  const byDate = new Map<string, RecomputedPrice>();
  for (const price of prices) {
    const { stored_points, exchange_rate, index, us_index } = price;
    const shown = stored_points.map(({ price_value, factor }) =>
      factor === 1 ? price_value : rounded(price_value * factor),
    );
    const nominal = shown.length === 1 ? shown[0]! : rounded(mean(shown));
    const rate =
      exchange_rate &&
      exchange_rate.units *
        (exchange_rate.rows.length === 0 ? 1 : mean(exchange_rate.rows.map((row) => row.rate)));
    const dollar = rate === null ? NaN : rounded(nominal / rate);
    const real = index === null ? NaN : rounded((nominal * 100) / index.value);
    const realDollar = us_index === null ? NaN : (dollar * 100) / us_index.value;
    const measured = { nominal, real, usd: dollar, real_usd: realDollar }[measure]!;
    const value = per === 'base' ? measured * (unit_factor ?? NaN) : measured;
    byDate.set(price.date, { nominal, real, dollar, value });
    const number = (name: keyof ExplainedPrice, recomputed: number) => {
      const given = price[name] as number | null;
      if (given !== null) onNumber({ name, given, recomputed });
    };
    number('price_value', nominal);
    number('n', stored_points.length);
    number('price_value_dollar', dollar);
    number('price_value_real', real);
    number('value', value);
    if (exchange_rate !== null) onNumber({ name: 'rate', given: exchange_rate.rate, recomputed: rate! });
  }
  return byDate;
}

/** Expects that a number follows from its explanation, to 1e-12 of its size or of its terms. */
export function expectClose({ name, given, recomputed, terms = 0 }: Recomputed): void {
  const size = Math.max(Math.abs(recomputed), terms);
  const difference = given === recomputed ? 0 : Math.abs(given - recomputed) / size;
  if (!(difference <= 1e-12))
    throw new Error(`${name} is ${given}; its explanation gives ${recomputed} (relative ${difference}).`);
}
