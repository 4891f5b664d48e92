import type { TimeSlice } from '../../lib/scheduling/time-slice.js';
import { countryName, countryNames, iso2Of } from '../../lib/codes/countries.js';
import { foldText, searchableText } from '../../lib/text/folding.js';
import type { ReadView } from '../../database/database.js';
import { quoteIdentifiers } from '../../database/sql.js';
import { RECORD_VERSIONS } from '../../ledger/versions/record-versions.js';
import { ReferenceTable } from '../../reference/base/reference-table.js';
import { CommodityDto } from '../../reference/commodity/commodity.dto.js';
import { MarketDto } from '../../reference/market/market.dto.js';
import { MeasureUnitDto } from '../../reference/measure-unit/measure-unit.dto.js';
import { PriceTypeDto } from '../../reference/price-type/price-type.dto.js';
import { SourceDto } from '../../reference/source/source.dto.js';

/** The reference tables that series refer to. */
const DTOS = {
  commodity: CommodityDto,
  price_type: PriceTypeDto,
  market: MarketDto,
  source: SourceDto,
  measure_unit: MeasureUnitDto,
} as const;

export type SeriesReferenceTable = keyof typeof DTOS;

export const SERIES_REFERENCE_TABLES = Object.keys(DTOS) as SeriesReferenceTable[];

/** The reference records of a series; their `version` is of use to writers only. */
export type SeriesReferences = {
  [T in SeriesReferenceTable]: Readonly<Omit<InstanceType<(typeof DTOS)[T]['entity']>, 'version'>>;
};

/** Rows read by one statement: some milliseconds of work for the embedded engine. */
const ROWS_PER_STATEMENT = 250;

/**
 * Dictionary encoding of one reference table: series store a record's index instead of its id,
 * because indexes are small and dense.
 */
export class Dictionary<R extends { readonly id: number }> {
  private readonly list: R[] = [];
  private readonly indexById = new Map<number, number>();

  /** @param fingerprint differs between any two states of the table */
  constructor(readonly fingerprint: string) {}

  /** Adds a record while the table is loaded, in order of id. */
  add(record: R): void {
    this.indexById.set(record.id, this.list.push(record) - 1);
  }

  get records(): readonly R[] {
    return this.list;
  }

  get size(): number {
    return this.list.length;
  }

  at(index: number): R {
    return this.list[index]!;
  }

  /** The index of the record with this id, or undefined. */
  indexOf(id: number): number | undefined {
    return this.indexById.get(id);
  }
}

/** Dictionary-encoded texts: those that a filter treats as equal have one code; 0 is empty. */
class TextColumn {
  private readonly codeByText = new Map<string, number>([['', 0]]);
  /** The last text, before folding: equal texts come in long runs. */
  private lastText = '';
  private lastCode = 0;
  /** The code of each record's text. */
  readonly codes: Uint32Array;

  constructor(size: number) {
    this.codes = new Uint32Array(size);
  }

  set(index: number, text: string): void {
    if (text !== this.lastText) {
      const folded = foldText(text);
      let code = this.codeByText.get(folded);
      if (code === undefined) this.codeByText.set(folded, (code = this.codeByText.size));
      this.lastText = text;
      this.lastCode = code;
    }
    this.codes[index] = this.lastCode;
  }

  /** For each record 1 if its text is one of these, else 0. */
  match(texts: readonly string[]): Uint8Array {
    const wanted = new Uint8Array(this.codeByText.size);
    for (const text of texts) {
      const code = this.codeByText.get(foldText(text));
      if (code !== undefined) wanted[code] = 1;
    }
    const mask = new Uint8Array(this.codes.length);
    for (let index = 0; index < mask.length; index++) mask[index] = wanted[this.codes[index]!]!;
    return mask;
  }
}

/** Texts that `search` scans, joined to one, because scanning that is a single native call. */
export class SearchableTexts {
  readonly size: number;
  private readonly all: string;
  /** Offset of each text in the long one, and the length of that. */
  private readonly starts: Uint32Array;

  /** @param texts in the form of `searchableText` */
  constructor(texts: readonly string[]) {
    this.size = texts.length;
    this.all = texts.join('\n');
    this.starts = new Uint32Array(texts.length + 1);
    for (const [index, text] of texts.entries())
      this.starts[index + 1] = this.starts[index]! + text.length + 1;
  }

  /**
   * Calls back for each text with a word that begins so.
   * @param word marked by `markWords`; it has no blanks, so cannot span two texts
   */
  forEachWith(word: string, callback: (text: number) => void): void {
    let text = 0;
    for (let at = this.all.indexOf(word); at >= 0; at = this.all.indexOf(word, this.starts[text])) {
      while (this.starts[text + 1]! <= at) text++;
      callback(text++);
      if (text === this.size) return;
    }
  }
}

/** Index of the commodities for filters. */
interface CommodityIndex {
  readonly category: TextColumn;
  readonly names: SearchableTexts;
}

/** Index of the markets for filters and for the order of the lists. */
class MarketIndex {
  readonly type: TextColumn;
  readonly adminUnit: TextColumn;
  readonly adminUnit2: TextColumn;
  /** 1 for the average of a country or region. */
  readonly regionalAverage: Uint8Array;
  /** Country codes, sorted. */
  countries: readonly string[] = [];
  /** The name of each of `countries`: that of its markets, or else ISO's. */
  countryLabels: readonly string[] = [];
  /** For each market the index of its country in `countries`. */
  readonly countryOf: Uint16Array;
  names = new SearchableTexts([]);
  /** The names of each of `countries`: its own, and those known for the code. */
  countryNames = new SearchableTexts([]);
  /** The alpha-3 and alpha-2 codes of each of `countries`, in lower case. */
  countryCodes: readonly (readonly string[])[] = [];

  constructor(size: number) {
    this.type = new TextColumn(size);
    this.adminUnit = new TextColumn(size);
    this.adminUnit2 = new TextColumn(size);
    this.regionalAverage = new Uint8Array(size);
    this.countryOf = new Uint16Array(size);
  }
}

type Dictionaries = { readonly [T in SeriesReferenceTable]: Dictionary<SeriesReferences[T]> };

/** All reference records that series refer to, with the indexes that filters use. Immutable. */
export class ReferenceDictionaries {
  private constructor(
    private readonly dictionaries: Dictionaries,
    readonly commodityIndex: CommodityIndex,
    readonly marketIndex: Readonly<MarketIndex>,
  ) {}

  static readonly none = new ReferenceDictionaries(
    Object.fromEntries(SERIES_REFERENCE_TABLES.map((table) => [table, new Dictionary('')])) as Dictionaries,
    { category: new TextColumn(0), names: new SearchableTexts([]) },
    new MarketIndex(0),
  );

  /** The records of a table. */
  of<T extends SeriesReferenceTable>(table: T): Dictionary<SeriesReferences[T]> {
    return this.dictionaries[table];
  }

  /** These records and some that have gone. */
  async with(gone: readonly GoneRecord[], timeSlice: TimeSlice): Promise<ReferenceDictionaries> {
    const dictionaries = { ...this.dictionaries } as Record<SeriesReferenceTable, Dictionary<{ id: number }>>;
    for (const { table, record } of gone) {
      if (dictionaries[table] === this.dictionaries[table]) {
        dictionaries[table] = new Dictionary(`${this.dictionaries[table].fingerprint} and others`);
        for (const one of this.dictionaries[table].records) dictionaries[table].add(one);
      }
      dictionaries[table].add(record);
    }
    const others = dictionaries as unknown as Dictionaries;
    const all = { ...others, market: withOneNameEach(others.market) };
    return new ReferenceDictionaries(
      all,
      await indexCommodities(all.commodity, timeSlice),
      await indexMarkets(all.market, timeSlice),
    );
  }

  /** Reads the tables that have changed since `previous`; the others are shared with it. */
  static async read(
    query: ReadView,
    previous: ReferenceDictionaries,
    timeSlice: TimeSlice,
  ): Promise<ReferenceDictionaries> {
    const fingerprints = await readFingerprints(query);
    await timeSlice.yield();
    const read: [string, unknown][] = [];
    for (const table of SERIES_REFERENCE_TABLES) {
      const fingerprint = fingerprints.get(table)!;
      const isUnchanged = previous.of(table).fingerprint === fingerprint;
      read.push([
        table,
        isUnchanged ? previous.of(table) : await readTable(query, table, fingerprint, timeSlice),
      ]);
    }
    const stored = Object.fromEntries(read) as Dictionaries;
    const dictionaries = { ...stored, market: withOneNameEach(stored.market) };
    const commodities =
      dictionaries.commodity === previous.of('commodity')
        ? previous.commodityIndex
        : await indexCommodities(dictionaries.commodity, timeSlice);
    const markets =
      dictionaries.market === previous.of('market')
        ? previous.marketIndex
        : await indexMarkets(dictionaries.market, timeSlice);
    return new ReferenceDictionaries(dictionaries, commodities, markets);
  }
}

/** A record that has been removed, as it was last. */
export interface GoneRecord {
  table: SeriesReferenceTable;
  record: { id: number } & Record<string, unknown>;
}

/** Reads the records that were known at a revision or later and have been removed since. */
export async function readGoneRecords(query: ReadView, revision: number): Promise<GoneRecord[]> {
  const gone: GoneRecord[] = [];
  for (const table of SERIES_REFERENCE_TABLES) {
    const rows = await query<[id: number, attributes: string]>(
      `SELECT v.record_id, v.attributes FROM ${RECORD_VERSIONS} LEFT JOIN ${table} t ON t.id = v.record_id` +
        ' WHERE v.table_name = ? AND v.until > ? AND t.id IS NULL ORDER BY v.record_id, v.until',
      [table, revision],
    );
    // Of several versions of a record, the last one counts.
    const byId = new Map(rows);
    for (const [id, attributes] of byId)
      gone.push({ table, record: { id, ...(JSON.parse(attributes) as Record<string, unknown>) } });
  }
  return gone;
}

/**
 * Reads a fingerprint of each table. An update raises the sum of versions, an insert the greatest
 * id (ids are never reused), and a delete lowers the count.
 */
async function readFingerprints(query: ReadView): Promise<Map<string, string>> {
  const rows = await query<[string, ...unknown[]]>(
    SERIES_REFERENCE_TABLES.map(
      (table) => `SELECT '${table}', COUNT(*), MAX(id), SUM(version) FROM ${table}`,
    ).join(' UNION ALL '),
  );
  return new Map(rows.map(([table, ...values]) => [table, values.join(' ')]));
}

async function readTable<T extends SeriesReferenceTable>(
  query: ReadView,
  table: T,
  fingerprint: string,
  timeSlice: TimeSlice,
): Promise<Dictionary<SeriesReferences[T]>> {
  const { fields } = new ReferenceTable(DTOS[table]);
  const columns = ['id', ...fields.keys()];
  const isFlag = columns.map((column) => fields.get(column)?.kind === 'flag');
  const sql = `SELECT ${quoteIdentifiers(columns)} FROM ${table} WHERE id > ? ORDER BY id LIMIT ${ROWS_PER_STATEMENT}`;
  const dictionary = new Dictionary<SeriesReferences[T]>(fingerprint);
  const texts = new Map<string, string>();
  // Countries, regions and types repeat in thousands of markets: each text is held once.
  const intern = (text: string) => texts.get(text) ?? (texts.set(text, text), text);
  for (let after = 0; ; after = dictionary.at(dictionary.size - 1).id) {
    const rows = await query<unknown[]>(sql, [after]);
    for (const row of rows) {
      const record: Record<string, unknown> = {};
      for (const [index, column] of columns.entries()) {
        const value = row[index];
        record[column] = isFlag[index] ? Boolean(value) : typeof value === 'string' ? intern(value) : value;
      }
      dictionary.add(record as unknown as SeriesReferences[T]);
    }
    await timeSlice.yield();
    if (rows.length < ROWS_PER_STATEMENT) return dictionary;
  }
}

async function indexCommodities(
  commodities: Dictionary<SeriesReferences['commodity']>,
  timeSlice: TimeSlice,
): Promise<CommodityIndex> {
  const names: string[] = [];
  const categories = new TextColumn(commodities.size);
  for (const [index, { name, category }] of commodities.records.entries()) {
    categories.set(index, category);
    if (names.push(searchableText(name)) % ROWS_PER_STATEMENT === 0) await timeSlice.yield();
  }
  return { category: categories, names: new SearchableTexts(names) };
}

/**
 * The markets with one name of each country: that of the oldest one that has some. Stored names are
 * the same, but for those of markets that went before, and of a mirror whose source has several.
 */
function withOneNameEach(
  markets: Dictionary<SeriesReferences['market']>,
): Dictionary<SeriesReferences['market']> {
  const names = new Map<string, string>();
  for (const { iso3_country_code, country_name } of markets.records)
    if (!names.get(iso3_country_code)) names.set(iso3_country_code, country_name);
  const nameOf = ({ iso3_country_code }: SeriesReferences['market']) => names.get(iso3_country_code)!;
  if (markets.records.every((market) => market.country_name === nameOf(market))) return markets;
  const named = new Dictionary<SeriesReferences['market']>(markets.fingerprint);
  for (const market of markets.records) named.add({ ...market, country_name: nameOf(market) });
  return named;
}

async function indexMarkets(
  markets: Dictionary<SeriesReferences['market']>,
  timeSlice: TimeSlice,
): Promise<MarketIndex> {
  const marketIndex = new MarketIndex(markets.size);
  marketIndex.countries = [...new Set(markets.records.map((market) => market.iso3_country_code))].sort();
  const countryIndexes = new Map(marketIndex.countries.map((country, index) => [country, index]));
  const names: string[] = [];
  const labels = new Map<string, string>();
  for (const [index, market] of markets.records.entries()) {
    marketIndex.type.set(index, market.type);
    marketIndex.adminUnit.set(index, market.admin_unit);
    marketIndex.adminUnit2.set(index, market.admin_unit2);
    marketIndex.regionalAverage[index] = Number(market.regional_average);
    marketIndex.countryOf[index] = countryIndexes.get(market.iso3_country_code)!;
    names.push(searchableText(market.name));
    labels.set(market.iso3_country_code, market.country_name);
    if (index % ROWS_PER_STATEMENT === 0) await timeSlice.yield();
  }
  marketIndex.countryLabels = marketIndex.countries.map((iso3) => labels.get(iso3) || countryName(iso3));
  marketIndex.names = new SearchableTexts(names);
  marketIndex.countryNames = new SearchableTexts(
    marketIndex.countries.map((iso3) => searchableText([labels.get(iso3)!, ...countryNames(iso3)].join(' '))),
  );
  marketIndex.countryCodes = marketIndex.countries.map((iso3) =>
    [iso3, iso2Of(iso3)].map((code) => code.toLowerCase()),
  );
  return marketIndex;
}
