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
/** Records indexed before the event loop may have to be yielded to. */
const RECORDS_PER_SLICE = 250;

/**
 * Dictionary encoding of one reference table: series store a record's index instead of its id,
 * because indexes are small and dense.
 */
export class Dictionary<R extends { readonly id: number }> {
  private readonly list: R[] = [];
  private readonly indexById = new Map<number, number>();

  /** @param fingerprint differs between any two states of the table */
  constructor(readonly fingerprint: string) {}

  /** Adds a record: only while the dictionary is built, before others have it. */
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

/**
 * Dictionary encoding of one text of each record. Texts that are equal when folded, as filters
 * compare them, have one code; 0 is that of the empty text.
 */
class FoldedTextColumn {
  private readonly codeByText = new Map<string, number>([['', 0]]);
  /** The last text that was set, before folding: equal texts come in long runs. */
  private lastText = '';
  private lastCode = 0;
  /** The code of each record's text. */
  readonly codes: Uint32Array;

  constructor(size: number) {
    this.codes = new Uint32Array(size);
  }

  set(index: number, text: string): void {
    if (text !== this.lastText) {
      this.lastText = text;
      this.lastCode = this.encode(foldText(text));
    }
    this.codes[index] = this.lastCode;
  }

  private encode(folded: string): number {
    const known = this.codeByText.get(folded);
    if (known !== undefined) return known;
    const code = this.codeByText.size;
    this.codeByText.set(folded, code);
    return code;
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

/** Texts that `search` scans, joined into one, because scanning that is a single native call. */
export class SearchableTexts {
  readonly size: number;
  private readonly joined: string;
  /** Offset in `joined` of each text, and of the end. */
  private readonly starts: Uint32Array;

  /** @param texts in the form of `searchableText` */
  constructor(texts: readonly string[]) {
    this.size = texts.length;
    this.joined = texts.join('\n');
    this.starts = new Uint32Array(texts.length + 1);
    for (const [index, text] of texts.entries())
      this.starts[index + 1] = this.starts[index]! + text.length + 1;
  }

  /**
   * Calls back once for each text in which a word begins with the given one.
   * @param word marked by `markWords`; it has no blanks, so it cannot span two texts
   */
  forEachWith(word: string, callback: (index: number) => void): void {
    let index = 0;
    // After a match, the search goes on in the next text.
    for (let at = this.joined.indexOf(word); at >= 0; at = this.joined.indexOf(word, this.starts[index])) {
      while (this.starts[index + 1]! <= at) index++;
      callback(index++);
      if (index === this.size) return;
    }
  }
}

/** Index of the commodities for filters. */
interface CommodityIndex {
  readonly category: FoldedTextColumn;
  readonly names: SearchableTexts;
}

/** Index of the markets for filters and for the order of the lists. */
class MarketIndex {
  readonly type: FoldedTextColumn;
  readonly adminUnit: FoldedTextColumn;
  readonly adminUnit2: FoldedTextColumn;
  /** For each market 1 if it stands for the average of a country or region, else 0. */
  readonly regionalAverage: Uint8Array;
  /** Country codes, sorted. */
  countries: readonly string[] = [];
  /** The name to show for each of `countries`: that of its markets, or else ISO's. */
  countryLabels: readonly string[] = [];
  /** For each market the index of its country in `countries`. */
  readonly countryOf: Uint16Array;
  names = new SearchableTexts([]);
  /** All names of each of `countries`: that of its markets, and those known for the code. */
  countryNames = new SearchableTexts([]);
  /** The alpha-3 and alpha-2 codes of each of `countries`, in lower case. */
  countryCodes: readonly (readonly string[])[] = [];

  constructor(size: number) {
    this.type = new FoldedTextColumn(size);
    this.adminUnit = new FoldedTextColumn(size);
    this.adminUnit2 = new FoldedTextColumn(size);
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
    { category: new FoldedTextColumn(0), names: new SearchableTexts([]) },
    new MarketIndex(0),
  );

  /** The records of a table. */
  of<T extends SeriesReferenceTable>(table: T): Dictionary<SeriesReferences[T]> {
    return this.dictionaries[table];
  }

  /** These records and some that have been removed. */
  async withRemoved(
    removed: readonly RemovedReference[],
    timeSlice: TimeSlice,
  ): Promise<ReferenceDictionaries> {
    const extended = SERIES_REFERENCE_TABLES.map((table) => {
      const added = removed.filter((reference) => reference.table === table);
      return [table, added.length === 0 ? this.of(table) : withAdded(this.of(table), added)];
    });
    return ReferenceDictionaries.index(Object.fromEntries(extended) as Dictionaries, this, timeSlice);
  }

  /** Reads the tables that have changed since `previous`; the others are shared with it. */
  static async read(
    query: ReadView,
    previous: ReferenceDictionaries,
    timeSlice: TimeSlice,
  ): Promise<ReferenceDictionaries> {
    const fingerprints = await readFingerprints(query);
    await timeSlice.yield();
    const read: [SeriesReferenceTable, unknown][] = [];
    for (const table of SERIES_REFERENCE_TABLES) {
      const fingerprint = fingerprints.get(table)!;
      const isUnchanged = previous.of(table).fingerprint === fingerprint;
      read.push([
        table,
        isUnchanged ? previous.of(table) : await readTable(query, table, fingerprint, timeSlice),
      ]);
    }
    return ReferenceDictionaries.index(Object.fromEntries(read) as Dictionaries, previous, timeSlice);
  }

  /** Indexes the tables that are not those of `previous`; the other indexes are shared with it. */
  private static async index(
    stored: Dictionaries,
    previous: ReferenceDictionaries,
    timeSlice: TimeSlice,
  ): Promise<ReferenceDictionaries> {
    const dictionaries = { ...stored, market: withOneNamePerCountry(stored.market) };
    const commodityIndex =
      dictionaries.commodity === previous.of('commodity')
        ? previous.commodityIndex
        : await indexCommodities(dictionaries.commodity, timeSlice);
    const marketIndex =
      dictionaries.market === previous.of('market')
        ? previous.marketIndex
        : await indexMarkets(dictionaries.market, timeSlice);
    return new ReferenceDictionaries(dictionaries, commodityIndex, marketIndex);
  }
}

/** A reference record that has been removed, as it was last. */
export interface RemovedReference {
  readonly table: SeriesReferenceTable;
  readonly record: { readonly id: number } & Readonly<Record<string, unknown>>;
}

/** A copy of a dictionary with further records; the indexes of the others stay. */
function withAdded(
  dictionary: Dictionary<{ readonly id: number }>,
  added: readonly RemovedReference[],
): Dictionary<{ readonly id: number }> {
  const copy = new Dictionary<{ readonly id: number }>(`${dictionary.fingerprint} and removed ones`);
  for (const record of dictionary.records) copy.add(record);
  for (const { record } of added) copy.add(record);
  return copy;
}

/** Reads the records that were known at a revision or later and have been removed since. */
export async function readRemovedReferences(query: ReadView, revision: number): Promise<RemovedReference[]> {
  const removed: RemovedReference[] = [];
  for (const table of SERIES_REFERENCE_TABLES) {
    const rows = await query<[id: number, attributes: string]>(
      `SELECT v.record_id, v.attributes FROM ${RECORD_VERSIONS} LEFT JOIN ${table} t ON t.id = v.record_id` +
        ' WHERE v.table_name = ? AND v.until > ? AND t.id IS NULL ORDER BY v.record_id, v.until',
      [table, revision],
    );
    // The map keeps the last version of each record.
    const lastById = new Map(rows);
    for (const [id, attributes] of lastById)
      removed.push({ table, record: { id, ...(JSON.parse(attributes) as Record<string, unknown>) } });
  }
  return removed;
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
  const intern = (text: string) => {
    if (!texts.has(text)) texts.set(text, text);
    return texts.get(text);
  };
  for (let lastId = 0; ; lastId = dictionary.at(dictionary.size - 1).id) {
    const rows = await query<unknown[]>(sql, [lastId]);
    for (const row of rows) {
      const record: Record<string, unknown> = {};
      for (const [index, column] of columns.entries()) {
        const value = row[index];
        if (isFlag[index]) record[column] = Boolean(value);
        else record[column] = typeof value === 'string' ? intern(value) : value;
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
  const categories = new FoldedTextColumn(commodities.size);
  for (const [index, { name, category }] of commodities.records.entries()) {
    categories.set(index, category);
    names.push(searchableText(name));
    if (index % RECORDS_PER_SLICE === 0) await timeSlice.yield();
  }
  return { category: categories, names: new SearchableTexts(names) };
}

/**
 * The markets with one name for each country: that of the oldest market which has one. Stored names
 * agree, but those of removed markets may be older, and the source of a mirror may have several.
 */
function withOneNamePerCountry(
  markets: Dictionary<SeriesReferences['market']>,
): Dictionary<SeriesReferences['market']> {
  const names = new Map<string, string>();
  for (const { iso3_country_code: iso3, country_name } of markets.records)
    if (!names.get(iso3)) names.set(iso3, country_name);
  const nameOf = ({ iso3_country_code: iso3 }: SeriesReferences['market']) => names.get(iso3)!;
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
  indexCountries(marketIndex, markets.records);
  const countryIndexes = new Map(marketIndex.countries.map((iso3, index) => [iso3, index]));
  const names: string[] = [];
  for (const [index, market] of markets.records.entries()) {
    marketIndex.type.set(index, market.type);
    marketIndex.adminUnit.set(index, market.admin_unit);
    marketIndex.adminUnit2.set(index, market.admin_unit2);
    marketIndex.regionalAverage[index] = Number(market.regional_average);
    marketIndex.countryOf[index] = countryIndexes.get(market.iso3_country_code)!;
    names.push(searchableText(market.name));
    if (index % RECORDS_PER_SLICE === 0) await timeSlice.yield();
  }
  marketIndex.names = new SearchableTexts(names);
  return marketIndex;
}

/** @param markets with one name for each country */
function indexCountries(marketIndex: MarketIndex, markets: readonly SeriesReferences['market'][]): void {
  const nameByCode = new Map(markets.map((market) => [market.iso3_country_code, market.country_name]));
  const countries = [...nameByCode.keys()].sort();
  marketIndex.countries = countries;
  marketIndex.countryLabels = countries.map((iso3) => nameByCode.get(iso3) || countryName(iso3));
  marketIndex.countryNames = new SearchableTexts(
    countries.map((iso3) => searchableText([nameByCode.get(iso3)!, ...countryNames(iso3)].join(' '))),
  );
  marketIndex.countryCodes = countries.map((iso3) => [iso3, iso2Of(iso3)].map((code) => code.toLowerCase()));
}
