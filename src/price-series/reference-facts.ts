import type { TimeSlice } from '../common/scheduling/time-slice.js';
import { foldForSearch, foldText } from '../common/text/folding.js';
import type { ReadView } from '../database/database.js';
import type { Commodity } from '../reference/commodity/commodity.entity.js';
import type { Market } from '../reference/market/market.entity.js';
import type { MeasureUnit } from '../reference/measure-unit/measure-unit.entity.js';
import type { PriceType } from '../reference/price-type/price-type.entity.js';
import type { Source } from '../reference/source/source.entity.js';

/** What a series refers to: a record of a reference table, without what only writers need. */
type Facts<R> = Readonly<Omit<R, 'version'>>;

export interface ReferenceRecords {
  commodity: Facts<Commodity>;
  price_type: Facts<PriceType>;
  market: Facts<Market>;
  source: Facts<Source>;
  measure_unit: Facts<MeasureUnit>;
}

/** The reference tables that series refer to. */
export type SeriesReferenceTable = keyof ReferenceRecords;

export const REFERENCE_TABLES: readonly SeriesReferenceTable[] = [
  'commodity',
  'price_type',
  'market',
  'source',
  'measure_unit',
];

/** Rows that one statement reads: some milliseconds of work for the embedded engine. */
const ROWS_PER_STATEMENT = 250;

/** The columns that are read of each table, in the order of the record's fields. */
const COLUMNS: { readonly [T in SeriesReferenceTable]: readonly (keyof ReferenceRecords[T] & string)[] } = {
  commodity: ['id', 'name', 'hs_code', 'category'],
  price_type: ['id', 'name', 'description'],
  market: [
    'id',
    'name',
    'type',
    'code',
    'iso3_country_code',
    'country_name',
    'admin_unit',
    'admin_unit2',
    'latitude',
    'longitude',
    'info',
    'regional_average',
  ],
  source: ['id', 'name', 'url', 'license'],
  measure_unit: ['id', 'name', 'dimension', 'conversion_factor'],
};

/** The records of one table, numbered by their place: series hold places, which are small and dense, instead of ids. */
export class Dictionary<R extends { readonly id: number }> {
  private readonly list: R[] = [];
  private readonly places = new Map<number, number>();

  /** @param state tells one state of the table from any other */
  constructor(readonly state: string) {}

  /** Adds a record while the table is read, in the order of the ids. */
  add(record: R): void {
    this.places.set(record.id, this.list.push(record) - 1);
  }

  get records(): readonly R[] {
    return this.list;
  }

  get size(): number {
    return this.list.length;
  }

  at(place: number): R {
    return this.list[place]!;
  }

  /** The place of the record with this id. */
  placeOf(id: number): number | undefined {
    return this.places.get(id);
  }
}

/** A text of each record as a number, equal where the texts are equal to a filter. 0 is the unknown text ''. */
class TextColumn {
  private readonly codes = new Map<string, number>([['', 0]]);
  /** Texts as they were met last, before folding: the same text comes in long runs. */
  private lastText = '';
  private lastCode = 0;
  private readonly codeAt: Uint32Array;

  constructor(size: number) {
    this.codeAt = new Uint32Array(size);
  }

  set(place: number, text: string): void {
    if (text !== this.lastText) {
      const folded = foldText(text);
      let code = this.codes.get(folded);
      if (code === undefined) this.codes.set(folded, (code = this.codes.size));
      this.lastText = text;
      this.lastCode = code;
    }
    this.codeAt[place] = this.lastCode;
  }

  /** For each record 1 where its text is one of these, else 0. The unknown text is never meant. */
  among(texts: readonly string[]): Uint8Array {
    const wanted = new Uint8Array(this.codes.size);
    for (const text of texts) wanted[this.codes.get(foldText(text)) ?? 0] = 1;
    wanted[0] = 0;
    const found = new Uint8Array(this.codeAt.length);
    for (let place = 0; place < found.length; place++) found[place] = wanted[this.codeAt[place]!]!;
    return found;
  }
}

/** Texts to look for words in, as `search` compares them: one long text, because looking through it is a single native call. */
export class SearchedTexts {
  readonly size: number;
  private readonly all: string;
  /** Where each text begins in the long one, and where that ends. */
  private readonly starts: Uint32Array;

  /** @param texts in the form of `foldForSearch` */
  constructor(texts: readonly string[]) {
    this.size = texts.length;
    this.all = texts.join('\n');
    this.starts = new Uint32Array(texts.length + 1);
    for (const [index, text] of texts.entries())
      this.starts[index + 1] = this.starts[index]! + text.length + 1;
  }

  /** Tells every text that the word occurs in; a word has no blanks, so it cannot reach from one text into the next. */
  forEachWith(word: string, tell: (text: number) => void): void {
    let text = 0;
    for (let at = this.all.indexOf(word); at >= 0; at = this.all.indexOf(word, this.starts[text])) {
      while (this.starts[text + 1]! <= at) text++;
      tell(text++);
      if (text === this.size) return;
    }
  }
}

/** What filters ask about commodities. */
interface CommodityIndex {
  readonly names: SearchedTexts;
}

/** What filters and the order of the lists ask about markets. */
class MarketIndex {
  readonly type: TextColumn;
  readonly adminUnit: TextColumn;
  readonly adminUnit2: TextColumn;
  /** 1 for the average of a country or region. */
  readonly regionalAverage: Uint8Array;
  /** Country codes in their order. */
  countries: readonly string[] = [];
  /** For each market the place of its country in that order. */
  readonly countryOf: Uint16Array;
  names = new SearchedTexts([]);
  /** The different names of countries, and for each market its country's. */
  countryNames = new SearchedTexts([]);
  readonly countryNameOf: Uint32Array;

  constructor(size: number) {
    this.type = new TextColumn(size);
    this.adminUnit = new TextColumn(size);
    this.adminUnit2 = new TextColumn(size);
    this.regionalAverage = new Uint8Array(size);
    this.countryOf = new Uint16Array(size);
    this.countryNameOf = new Uint32Array(size);
  }
}

/** All reference records that series refer to, and what filters ask about them. Never changed once made. */
export class ReferenceFacts {
  private constructor(
    private readonly dictionaries: { readonly [T in SeriesReferenceTable]: Dictionary<ReferenceRecords[T]> },
    readonly commodityIndex: CommodityIndex,
    readonly marketIndex: Readonly<MarketIndex>,
  ) {}

  static readonly none = new ReferenceFacts(
    {
      commodity: new Dictionary(''),
      price_type: new Dictionary(''),
      market: new Dictionary(''),
      source: new Dictionary(''),
      measure_unit: new Dictionary(''),
    },
    { names: new SearchedTexts([]) },
    new MarketIndex(0),
  );

  /** The records of a table. */
  of<T extends SeriesReferenceTable>(table: T): Dictionary<ReferenceRecords[T]> {
    return this.dictionaries[table];
  }

  /** Reads the tables that changed since `known`. */
  static async read(arrays: ReadView, known: ReferenceFacts, pace: TimeSlice): Promise<ReferenceFacts> {
    const states = await readStates(arrays);
    await pace.yield();
    const read = <T extends SeriesReferenceTable>(table: T) =>
      known.of(table).state === states.get(table)
        ? known.of(table)
        : readTable(arrays, table, states.get(table)!, pace);
    const dictionaries = {
      commodity: await read('commodity'),
      price_type: await read('price_type'),
      market: await read('market'),
      source: await read('source'),
      measure_unit: await read('measure_unit'),
    };
    const commodities =
      dictionaries.commodity === known.of('commodity')
        ? known.commodityIndex
        : await indexCommodities(dictionaries.commodity, pace);
    const markets =
      dictionaries.market === known.of('market')
        ? known.marketIndex
        : await indexMarkets(dictionaries.market, pace);
    return new ReferenceFacts(dictionaries, commodities, markets);
  }
}

/**
 * What tells the states of the tables apart. A change of a record raises its version, a new record the greatest id (ids are not
 * used twice), and a deleted one is missing from the count.
 */
async function readStates(arrays: ReadView): Promise<Map<string, string>> {
  const rows = await arrays<[string, ...unknown[]]>(
    REFERENCE_TABLES.map((table) => `SELECT '${table}', COUNT(*), MAX(id), SUM(version) FROM ${table}`).join(
      ' UNION ALL ',
    ),
  );
  return new Map(rows.map(([table, ...state]) => [table, state.join(' ')]));
}

async function readTable<T extends SeriesReferenceTable>(
  arrays: ReadView,
  table: T,
  state: string,
  pace: TimeSlice,
): Promise<Dictionary<ReferenceRecords[T]>> {
  const columns = COLUMNS[table];
  const sql = `SELECT ${columns.join(', ')} FROM ${table} WHERE id > ? ORDER BY id LIMIT ${ROWS_PER_STATEMENT}`;
  const dictionary = new Dictionary<ReferenceRecords[T]>(state);
  const texts = new Map<string, string>();
  // Countries, regions and types repeat in thousands of markets: each is held once.
  const shared = (text: string) => texts.get(text) ?? (texts.set(text, text), text);
  for (let after = 0; ; after = dictionary.at(dictionary.size - 1).id) {
    const rows = await arrays<unknown[]>(sql, [after]);
    for (const row of rows) {
      const record: Record<string, unknown> = {};
      for (const [place, column] of columns.entries()) {
        const value = row[place];
        record[column] =
          column === 'regional_average' ? Boolean(value) : typeof value === 'string' ? shared(value) : value;
      }
      dictionary.add(record as unknown as ReferenceRecords[T]);
    }
    await pace.yield();
    if (rows.length < ROWS_PER_STATEMENT) return dictionary;
  }
}

async function indexCommodities(
  commodities: Dictionary<ReferenceRecords['commodity']>,
  pace: TimeSlice,
): Promise<CommodityIndex> {
  const names: string[] = [];
  for (const { name } of commodities.records) {
    if (names.push(foldForSearch(name)) % ROWS_PER_STATEMENT === 0) await pace.yield();
  }
  return { names: new SearchedTexts(names) };
}

async function indexMarkets(
  markets: Dictionary<ReferenceRecords['market']>,
  pace: TimeSlice,
): Promise<MarketIndex> {
  const index = new MarketIndex(markets.size);
  index.countries = [...new Set(markets.records.map((market) => market.iso3_country_code))].sort();
  const countryPlaces = new Map(index.countries.map((country, place) => [country, place]));
  const names: string[] = [];
  const countryNames = new Map<string, number>();
  for (const [place, market] of markets.records.entries()) {
    index.type.set(place, market.type);
    index.adminUnit.set(place, market.admin_unit);
    index.adminUnit2.set(place, market.admin_unit2);
    index.regionalAverage[place] = Number(market.regional_average);
    index.countryOf[place] = countryPlaces.get(market.iso3_country_code)!;
    names.push(foldForSearch(market.name));
    if (!countryNames.has(market.country_name)) countryNames.set(market.country_name, countryNames.size);
    index.countryNameOf[place] = countryNames.get(market.country_name)!;
    if (place % ROWS_PER_STATEMENT === 0) await pace.yield();
  }
  index.names = new SearchedTexts(names);
  index.countryNames = new SearchedTexts([...countryNames.keys()].map(foldForSearch));
  return index;
}
