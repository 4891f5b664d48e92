import type { Transaction } from '../../ledger/unit-of-work.js';
import { readCountryNames } from '../../reference/market/country-names.js';
import type { ReplacedValue } from '../formats/replaced-values.js';
import type { SeriesDescriptor } from '../formats/series.js';
import type { TableRecord } from '../formats/table-rows.js';

/** The market of an input, as far as its country is concerned. */
type MarketCountry = Pick<SeriesDescriptor['market'], 'iso3_country_code' | 'country_name'>;

/**
 * The names of the countries of an input: those of the stored markets, which an input never
 * changes, or else the one of the first market of a country in the input.
 */
export class CountryNames {
  private constructor(private readonly names: Map<string, string>) {}

  static async read(transaction: Transaction, codes: readonly string[]): Promise<CountryNames> {
    return new CountryNames(await readCountryNames(transaction, codes));
  }

  /** The name that a market is stored with. */
  of({ iso3_country_code: code, country_name }: MarketCountry): string {
    const name = this.names.get(code) ?? country_name;
    this.names.set(code, name);
    return name;
  }

  /** What the input calls the country of a market, where that is another name. */
  *otherName(market: MarketCountry, text: string | undefined): Generator<ReplacedValue> {
    if (text === undefined) return;
    const name = this.of(market);
    if (text !== name) yield { column: 'country_name', value: text, read_as: name };
  }
}

/** Rows of markets with the names that countries have, and those in the input that are others. */
export async function withCountryNames(
  transaction: Transaction,
  rows: readonly TableRecord[],
): Promise<{ rows: TableRecord[]; replaced: ReplacedValue[] }> {
  const codeOf = ({ values }: TableRecord) => values.iso3_country_code as string;
  const names = await CountryNames.read(transaction, rows.map(codeOf));
  const replaced: ReplacedValue[] = [];
  const named = rows.map((row) => {
    const { country_name: given, ...values } = row.values;
    const text = row.country_text ?? (given as string | undefined);
    const country_name = (given ?? row.defaults?.country_name ?? '') as string;
    const market = { iso3_country_code: codeOf(row), country_name };
    replaced.push(...names.otherName(market, text));
    return { ...row, values, defaults: { ...row.defaults, country_name: names.of(market) } };
  });
  return { rows: named, replaced };
}
