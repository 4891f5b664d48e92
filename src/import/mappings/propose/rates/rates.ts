import { currenciesOf } from '../../../../lib/codes/country-currencies.js';
import { countryName } from '../../../../lib/codes/countries.js';
import { periodOfWord } from '../../../formats/other-words.js';
import { isYear } from '../dates/date-patterns.js';
import { askForFile, checkDuplicates, checkUnread } from '../checks.js';
import { fits } from '../columns/column-roles.js';
import { fillDown } from '../columns/filled-cells.js';
import { findSource, likelyCountry } from '../columns/series-values.js';
import { findWide, levelsOf, takePrice } from '../columns/wide-columns.js';
import { findDate } from '../dates/date-columns.js';
import { daysOfDates, periodOfDays } from '../dates/frequency.js';
import { Draft, NoProposal, type ValuedColumn } from '../draft.js';
import { columnAnswer, quoted } from '../sentences.js';
import { findEnd, leaveOutRows, readHeader } from '../table/left-out-rows.js';
import { askForCurrencies } from '../values/money-columns.js';
import { findNumbers } from '../values/numbers.js';
import type { Answer, Proposal, Question } from '../proposal.js';
import {
  currenciesIn,
  currenciesNamed,
  currencyOfHeader,
  type HeaderCurrency,
  isBank,
  isCurrencyName,
  isPerEuro,
  isRateName,
  rateTypesIn,
  sideOf,
  speaksOfRates,
} from './rate-words.js';
import { fieldOfHeader, foldWords } from '../columns/words.js';

/** Whether a table can be one of exchange rates, by its columns and words. */
interface RateSigns {
  /** Whether people are asked. */
  readonly isPossible: boolean;
  /** Whether its columns are those of rates, too, and it is read so unless they say otherwise. */
  readonly isLikely: boolean;
  /** Why, as a sentence. */
  readonly because: string | null;
}

/** Fields that tables of prices have, and those of rates do not. */
const OF_PRICES = ['market', 'commodity', 'category', 'market_code', 'hs_code', 'admin_unit', 'admin_unit2'];

const PRICE_WORD =
  /(?:^| )(?:price|prices|prix|precio|precios|preco|precos|цена|цены|cost|cout|costo)(?: |$)/u;

/** The part of the texts of a column that are names of currencies, and that of one called so. */
const MIN_SHARE = 0.9;
const MIN_SHARE_OF_NAMED = 0.5;

/** `Rates in CDF`. */
const IN_CODE = /(?:^|\s)(?:in|en|em|в)\s+([A-Z]{3})(?!\p{L})/u;

/** Currencies in headers that only tables of rates have, whatever else stands beside them. */
const MIN_CODES = 8;

/** A number that is one. */
const isOne = (text: string): boolean => /^1(?:[.,]0+)?$/.test(text);

/** Proposes a mapping for a table of exchange rates. */
export class RateProposer extends Draft {
  override readonly table: string = 'fx';
  override readonly value: string = 'rate';
  override readonly noun: string = 'rate';
  override readonly nouns: string = 'rates';
  override readonly storable: string = 'daily and monthly rates';
  /** Codes of all currencies that the table has. */
  private codes = new Set<string>();
  /** Texts of cells of rates of the dollar. */
  private dollars: string[] = [];

  /** Whether the table can be one of rates. To be asked before anything is proposed. */
  signs(): RateSigns {
    this.readColumns();
    const filled = this.columns.filter(({ values }) => values.length > 0);
    const fields = filled.map((column) => fieldIn(column));
    const none = { isPossible: false, isLikely: false, because: null };
    if (fields.some((field) => field !== null && OF_PRICES.includes(field))) return none;
    const said = [...this.context, ...filled.map(({ header }) => header), this.sample.fileName];
    const spoken = [...said, this.sample.sheetName ?? ''].find(speaksOfRates);
    const structure = this.structure(filled);
    if (structure === null && spoken === undefined) return none;
    const because = spoken === undefined ? structure : `It is in ${quoted(spoken)}.`;
    return { isPossible: true, isLikely: structure !== null, because };
  }

  /** What of the columns is as tables of rates have it; null where they are others. */
  private structure(filled: readonly ValuedColumn[]): string | null {
    const numeric = filled.filter((column) => column.isNumeric && !isAside(column));
    if (numeric.some(({ header }) => PRICE_WORD.test(foldWords(header)))) return null;
    const currency = this.currencyColumns(filled);
    const others = filled.filter(
      (column) => !column.isNumeric && !currency.includes(column) && this.isText(column),
    );
    const named = numeric.filter(
      ({ header }) => currencyOfHeader(header) !== null || currenciesIn(header).length === 2,
    );
    // Banks number their tables: `001/A/NBP/2022`.
    const codes = new Set(named.flatMap(({ header }) => currenciesIn(header)));
    const hasManyCurrencies = codes.size >= MIN_CODES && named.length >= numeric.length / 2;
    if (others.length > 0 && !hasManyCurrencies) return null;
    if (named.length > 0 && named.length >= numeric.length / 2)
      return `Columns are called as currencies are: ${shown(named)}.`;
    if (currency.length > 0) return `The column ${quoted(currency[0]!.header)} has currencies.`;
    const [buying, selling] = (['buying', 'selling'] as const).map((side) =>
      numeric.find(({ header }) => sideOf(header) === side),
    );
    if (buying !== undefined && selling !== undefined)
      return `There are columns for buying and selling: ${shown([buying, selling])}.`;
    const [rate] = numeric;
    const isRate = ({ header }: ValuedColumn) =>
      isRateName(header) || speaksOfRates(header) || rateTypesIn(header).length > 0;
    return rate !== undefined && numeric.every(isRate) ? `A column is called ${quoted(rate.header)}.` : null;
  }

  /** Whether a column has texts that no table of rates has. */
  private isText(column: ValuedColumn): boolean {
    const field = fieldIn(column);
    if (field !== null && ASIDE.includes(field)) return false;
    if (column.distinct.every((text) => sideOf(text) !== null || rateTypesIn(text).length > 0)) return false;
    return !this.hasDates(column);
  }

  propose(table: Question | null): Proposal {
    if (table !== null) this.ask(table);
    readHeader(this);
    leaveOutRows(this);
    this.readColumns();
    this.assignNamed();
    const filled = this.columns.filter(({ role, values }) => role === null && values.length > 0);
    const currency = this.currencyColumns(filled);
    const unit = filled.find(isUnitColumn);
    if (unit !== undefined) unit.role = 'unit';
    const numeric = filled.filter((column) => column.isNumeric && column !== unit && !isAside(column));
    if (numeric.length === 0) throw new NoProposal('No column of the table has numbers that can be rates.');
    if (!this.takeCurrencyColumn(currency, unit, numeric)) this.takeWide(numeric, unit);
    findDate(this);
    fillDown(this);
    this.askForDirection();
    this.askForType();
    this.findPeriod();
    this.findPublisher();
    findNumbers(this);
    checkDuplicates(this);
    findEnd(this);
    askForFile(this);
    checkUnread(this);
    return this.result();
  }

  /** Columns that say what they have, but for those of the currency, the date and the rate. */
  private assignNamed(): void {
    for (const field of ['year', 'month', 'source', 'periodicity'] as const) {
      const columns = this.free().filter((column) => fieldIn(column) === field && fits(this, column, field));
      if (columns.length !== 1) continue;
      const [column] = columns as [ValuedColumn];
      this.assign(
        column,
        field === 'periodicity' ? 'period' : field,
        `The column is called ${quoted(column.header)}.`,
      );
    }
    const types = this.free().find(
      ({ isNumeric, distinct }) => !isNumeric && distinct.every((text) => rateTypesIn(text).length === 1),
    );
    if (types === undefined) return;
    this.assign(
      types,
      'rate_type',
      `Its texts are types of rates: ${types.distinct.map(quoted).join(', ')}.`,
    );
    this.fields.rate_type!.values = Object.fromEntries(
      types.distinct.map((text) => [text, rateTypesIn(text)[0]!]),
    );
  }

  /** Columns of currencies, those of codes first. */
  private currencyColumns(columns: readonly ValuedColumn[]): ValuedColumn[] {
    const share = ({ distinct }: ValuedColumn, is: (text: string) => boolean) =>
      distinct.filter(is).length / distinct.length;
    const isCode = (text: string) => /^[A-Za-z]{3}$/.test(text) && currenciesNamed(text).length === 1;
    const found = columns.filter(
      (column) =>
        !column.isNumeric &&
        share(column, (text) => (readable(text)?.codes ?? []).length > 0) >=
          (fieldIn(column) === 'currency' || isCurrencyName(column.header) ? MIN_SHARE_OF_NAMED : MIN_SHARE),
    );
    const codes = found.filter((column) => share(column, isCode) >= MIN_SHARE);
    return [...codes, ...found.filter((column) => !codes.includes(column))];
  }

  /** Takes the column of currencies, and the rates beside it; false without one of several. */
  private takeCurrencyColumn(
    columns: readonly ValuedColumn[],
    unit: ValuedColumn | undefined,
    numeric: readonly ValuedColumn[],
  ): boolean {
    const [column] = columns;
    if (column === undefined) return false;
    const codesOf = (text: string) => readable(text)?.codes ?? [];
    const codes = new Set(column.distinct.flatMap(codesOf));
    // All rates are of the dollar: the currency is the one that it is given in.
    if (codes.size === 1 && codes.has('USD') && !this.isPart()) return false;
    this.codes = codes;
    column.role = 'currency';
    // A name may be that of several currencies, of which the code says one.
    const isSame = (one: ValuedColumn) =>
      one.cells.every((cell, at) => {
        const named = codesOf(cell);
        return named.length === 0 || codesOf(column.cells[at]!).every((code) => named.includes(code));
      });
    const rivals = columns.filter((one) => one !== column && !isSame(one));
    this.fields.currency = { column: column.ref };
    this.say('fields.currency', `The column ${quoted(column.header)} has currencies.`);
    if (rivals.length > 0) {
      column.role = null;
      this.ask({
        control: 'fields.currency',
        text: 'Which column has the currency that the rate is of?',
        answers: [column, ...rivals].map(columnAnswer),
      });
    } else this.readCurrencies(column, unit);
    this.dollars = numeric.flatMap(({ cells }) =>
      cells.filter((cell, at) => cell !== '' && codesOf(column.cells[at]!).includes('USD')),
    );
    this.takeRates(numeric);
    return true;
  }

  /** What the texts of currencies stand for, and for how many units their rates are. */
  private readCurrencies(column: ValuedColumn, unit: ValuedColumn | undefined): void {
    const isForManyUnits = (text: string) => readable(text) === null && /(?:^|\D)10+(?:\D|$)/.test(text);
    const many = column.distinct.filter(isForManyUnits);
    for (const text of many) this.skip.push({ column: column.ref, equals: text });
    if (many.length > 0)
      this.confirm(
        'units',
        `Rates for other than one unit cannot be read, and are left out: ${many.slice(0, 4).map(quoted).join(', ')}.`,
      );
    const values = column.distinct
      .filter((text) => !isForManyUnits(text))
      .map((text) => [text, readable(text)?.codes ?? []] as const);
    const open = values.flatMap(([text, codes]) => (codes.length === 1 ? [] : [text]));
    const codeOf = new Map(values.map(([text, codes]) => [text, codes.length === 1 ? codes[0]! : '']));
    if (open.length > 0) askForCurrencies(this, open);
    const hasBlanks = column.values.length < column.cells.length;
    if (unit === undefined || hasBlanks) {
      if (unit !== undefined) this.confirmUnits(unit);
      if (values.some(([text, codes]) => codes.length !== 1 || codes[0] !== text))
        this.fields.currency!.values = Object.fromEntries(codeOf);
      return;
    }
    const pairs = new Map<string, string>();
    const others = new Set<string>();
    for (const [at, cell] of column.cells.entries()) {
      const units = unit.cells[at]!;
      if (isOne(units)) pairs.set(`${cell} ${units}`, codeOf.get(cell)!);
      else others.add(`${cell} ${units}`.trim());
    }
    this.fields.currency = { join: [column.ref, unit.ref], values: Object.fromEntries(pairs) };
    this.say('fields.currency', `The column ${quoted(unit.header)} says for how many units a rate is.`);
    if (others.size > 0)
      this.confirm(
        'units',
        `Rates for other than one unit cannot be read, and are rejected: ${[...others].slice(0, 4).map(quoted).join(', ')}.`,
      );
  }

  private confirmUnits(unit: ValuedColumn): void {
    const others = unit.distinct.filter((text) => !isOne(text));
    if (others.length === 0) return;
    this.confirm(
      'units',
      `The column ${quoted(unit.header)} is not read: rates for ${others.slice(0, 4).join(', ')} units are read as those for one.`,
    );
  }

  /** Takes the rates of one currency in each row: a column, or dates as columns. */
  private takeRates(numeric: readonly ValuedColumn[]): void {
    const [only] = numeric;
    if (numeric.length > 1) {
      const levels = levelsOf(this, numeric);
      const dated = levels.some(({ kind }) => kind === 'date' || kind === 'month' || kind === 'quarter');
      if (dated && levels.every(({ kind }) => kind !== 'name')) return findWide(this, numeric, numeric);
      const middle = numeric.filter(({ header }) => sideOf(header) === 'middle');
      const plain = numeric.filter(({ header }) => isRateName(header));
      const likely = middle.length === 1 ? middle[0] : plain.length === 1 ? plain[0] : undefined;
      return this.ask({
        control: 'fields.rate',
        text: `Which of the columns is the rate: ${shown(numeric)}?`,
        answers: numeric.map(columnAnswer),
        proposed: likely === undefined ? null : `column:${likely.index + 1}`,
        because:
          likely === undefined
            ? null
            : middle.length === 1
              ? 'It lies between the others.'
              : `The column is called ${quoted(likely.header)}.`,
      });
    }
    takePrice(this, only!, `The column ${quoted(only!.header)} is the only one of numbers.`);
  }

  /** Takes columns that are called as currencies are, else the rates of one currency. */
  private takeWide(numeric: readonly ValuedColumn[], unit: ValuedColumn | undefined): void {
    if (unit !== undefined) this.confirmUnits(unit);
    const shared = sharedCurrency(numeric);
    const named = numeric.flatMap((column) => {
      const currency = currencyOfHeader(withoutCurrency(column.header, shared));
      return currency === null ? [] : [{ column, currency: withCurrency(currency, column.header, shared) }];
    });
    const codes = new Set(named.flatMap(({ currency }) => currency.codes));
    if (codes.size < 2) return this.takeOne(numeric, named[0]?.currency ?? null);
    this.codes = codes;
    this.shared = shared;
    const groups = new Map<string, typeof named>();
    for (const one of named)
      groups.set(one.currency.pattern, [...(groups.get(one.currency.pattern) ?? []), one]);
    const patterns = [...groups.keys()];
    this.unpivoted = named.map(({ column }) => column);
    for (const { column } of named) column.role = 'rate';
    const dropped = numeric.filter((column) => !this.unpivoted.includes(column));
    this.unpivot = { columns: patterns[0]!, value: 'rate' };
    this.say('unpivot.columns', `${named.length} columns become rows: ${shown(this.unpivoted)}.`);
    if (dropped.length > 0) this.say('unpivot.columns', `Not read: ${shown(dropped)}.`);
    if (patterns.length > 1) {
      const middle = patterns.filter((pattern) => sideOf(pattern) === 'middle');
      this.ask({
        control: 'unpivot.columns',
        text: `Which of the columns are the rates: ${shown(this.unpivoted)}?`,
        answers: patterns.map((pattern): Answer => ({
          value: pattern,
          label: groups
            .get(pattern)!
            .slice(0, 3)
            .map(({ column }) => column.header)
            .join(', '),
        })),
        proposed: middle.length === 1 ? middle[0]! : null,
        because: middle.length === 1 ? 'They lie between the others.' : null,
      });
    }
    const texts = new Map(named.map(({ currency }) => [currency.text, currency.codes]));
    const open = [...texts].filter(([, possible]) => possible.length !== 1);
    this.fields.currency = {
      values: Object.fromEntries(
        [...texts].map(([text, possible]) => [text, possible.length === 1 ? possible[0]! : '']),
      ),
    };
    if (open.length > 0)
      this.ask({
        control: 'fields.currency.values',
        text: `Which currencies are ${open.map(([text]) => quoted(text)).join(', ')}?`,
        answers: [],
      });
    this.dollars = named
      .filter(({ currency }) => currency.codes.includes('USD'))
      .flatMap(({ column }) => column.values);
  }

  /** The currency that stands in all headers of pairs, such as KES of USD/KES and EUR/KES. */
  private shared: string | null = null;

  /** Takes the rates of one currency, which is asked. */
  private takeOne(numeric: readonly ValuedColumn[], header: HeaderCurrency | null): void {
    this.takeRates(numeric);
    const inHeaders = numeric
      .flatMap((column) => currenciesIn(column.header))
      .filter((code) => code !== 'USD');
    const inHeader = header?.codes.find((code) => code !== 'USD') ?? inHeaders[0];
    const local = this.local();
    const isClear = inHeader === undefined || local === null || local.code === inHeader;
    const code = isClear ? (inHeader ?? local?.code ?? null) : null;
    this.ask({
      control: 'fields.currency',
      text: 'Of which currency are the rates? Rates of one currency can be stored where they are for dollars, or in dollars.',
      answers: [],
      proposed: code === null ? null : `value:${code}`,
      because:
        code === null
          ? null
          : inHeader === undefined
            ? local!.because
            : `It is in the header ${quoted(numeric[0]!.header)}.`,
    });
  }

  /** The currency of the country that the file names, or of its bank. */
  private local(): { code: string; because: string } | null {
    for (const text of this.context) {
      const [, said = ''] = IN_CODE.exec(text) ?? [];
      if (said !== 'USD' && currenciesNamed(said).length === 1)
        return { code: said, because: `It is in ${quoted(text)}.` };
    }
    const { proposed } = likelyCountry(this);
    const code = proposed === null ? undefined : currenciesOf(proposed)[0];
    if (code === undefined || code === 'USD') return null;
    return { code, because: `It is the currency of ${countryName(proposed!)}, which the file names.` };
  }

  /** For what the rates are. Nothing in a table says it for certain. */
  private askForDirection(): void {
    const isUnseen =
      this.codes.size > 0 && this.unpivot?.columns.includes('{currency}') !== true && this.isPart();
    const isUnknown = isUnseen || this.isOpen();
    const isOfSeveral = this.codes.size > 1 || isUnseen;
    const hasDollar = this.dollars.length > 0 && !this.dollars.every(isOne);
    const example = this.priceColumns().flatMap(({ values }) => values)[0];
    const answers: Answer[] = [];
    if (!hasDollar || isUnknown)
      answers.push(
        { value: 'dollar', label: 'Units of the currency for one dollar (USD)' },
        { value: 'unit', label: 'Dollars (USD) for one unit of the currency' },
      );
    if (isOfSeveral && (hasDollar || isUnknown))
      answers.push(
        { value: 'of', label: 'Units of another currency, which is named beside, for one of each' },
        { value: 'per', label: 'Units of each for one of another currency, which is named beside' },
      );
    const said = [...this.context, this.sample.fileName.replaceAll('_', ' '), this.sample.sheetName ?? ''];
    const euro = said.find(isPerEuro);
    const local = this.shared === null ? this.local() : null;
    const proposal =
      !hasDollar || !isOfSeveral
        ? null
        : this.shared !== null
          ? { proposed: `of:${this.shared}`, because: `${this.shared} is in all headers.` }
          : euro !== undefined && !this.codes.has('EUR')
            ? { proposed: 'per:EUR', because: `It is in ${quoted(euro)}.` }
            : local !== null && !this.codes.has(local.code)
              ? { proposed: `of:${local.code}`, because: local.because }
              : null;
    this.ask({
      control: 'fields.rate.direction',
      text: `What are the rates, such as ${quoted(example ?? '')}?`,
      answers,
      ...(proposal ?? {}),
    });
  }

  /** Whether the file has rows that were not looked at, with other currencies in them. */
  private isPart(): boolean {
    const { rows } = this.sample;
    return rows.at(-1)!.number - rows[0]!.number >= rows.length;
  }

  /** Whether texts of currencies may be the dollar, which people have to say. */
  private isOpen = (): boolean => this.questions.some(({ control }) => control.startsWith('fields.currency'));

  /** Whether the rates are official ones, where a word of the file says that others exist. */
  private askForType(): void {
    if (this.has('rate_type')) return;
    const said = [...this.context, ...this.columns.map(({ header }) => header), this.sample.fileName];
    const found = [...said, this.sample.sheetName ?? ''].find((text) =>
      rateTypesIn(text).includes('parallel'),
    );
    if (found === undefined) return;
    this.ask({
      control: 'fields.rate_type',
      text: `Which rates are these? The file speaks of ${quoted(found)}.`,
      answers: ['official', 'parallel'].map((value) => ({ value: `value:${value}`, label: value })),
    });
  }

  private findPeriod(): void {
    const column = this.of('period');
    if (column !== undefined) {
      const values = column.distinct.map((text) => [text, periodOfWord(text)] as const);
      if (values.some(([text, name]) => text !== name))
        this.fields.period!.values = Object.fromEntries(values);
      return;
    }
    const format = this.fields.date?.format;
    if (format?.includes('%V')) throw new NoProposal('The dates are weeks: rates are daily or monthly.');
    if (this.has('month') || (format !== undefined && !/%[dj]/.test(format) && format !== 'excel')) {
      this.fields.period = { value: 'monthly' };
      return this.say('fields.period', 'The dates are months without days.');
    }
    const likely = this.isAsked('date') ? null : periodOfDays(daysOfDates(this));
    this.ask({
      control: 'fields.period',
      text: 'How often is there a rate: daily, or monthly as the average of the month?',
      answers: ['daily', 'monthly'].map((value) => ({ value: `value:${value}`, label: value })),
      ...(likely === 'daily' || likely === 'monthly'
        ? { proposed: `value:${likely}`, because: 'So the dates lie apart.' }
        : {}),
    });
  }

  private findPublisher(): void {
    const bank = this.context.find(isBank);
    if (bank !== undefined && !this.has('source'))
      this.ask({
        control: 'fields.source',
        text: 'Who has published the rates?',
        answers: [],
        proposed: `value:${bank}`,
        because: 'A line of the file names a bank.',
      });
    findSource(this);
  }
}

/** Fields of columns that are no rates, and may stand beside them. */
const ASIDE = [
  'iso3_country_code',
  'source',
  'comment',
  'periodicity',
  'number',
  'date',
  'year',
  'month',
  'day',
];

const fieldIn = ({ header, parts }: ValuedColumn) =>
  fieldOfHeader(header) ?? fieldOfHeader(parts.at(-1) ?? '');

/** Whether a column of numbers has no rates: years, numbers of rows, dates as numbers. */
function isAside(column: ValuedColumn): boolean {
  const field = fieldIn(column);
  if (field !== null && ASIDE.includes(field)) return true;
  return isUnitColumn(column) || (column.distinct.length > 1 && column.values.every(isYear));
}

/** Whether a column says for how many units of a currency a rate is. */
function isUnitColumn(column: ValuedColumn): boolean {
  if (!column.isNumeric || !column.values.every((text) => /^[125]0*$/.test(wholeOf(text)))) return false;
  if (UNIT_WORD.test(` ${foldWords(column.header)} `)) return true;
  const isPower = column.values.every((text) => /^10*$/.test(wholeOf(text)));
  return isPower && column.distinct.length < column.values.length;
}
/** A whole number without signs: of `1,000.00` 1000. */
const wholeOf = (text: string): string => text.replace(/[.,]0{1,2}$/, '').replace(/[.,\s]/g, '');
const UNIT_WORD =
  / (?:unit|units|quantity|unite|unites|quantite|unidad|unidades|unidade|nominal|номинал|единиц|количество|الوحدة|وحدة|العدد) /u;

/** The currency that a cell names; null where it names none, or says anything else. */
function readable(text: string): { codes: readonly string[] } | null {
  const codes = currenciesNamed(/^[a-z]{3}$/.test(text.trim()) ? text.trim().toUpperCase() : text);
  if (codes.length > 0) return { codes };
  const found = currencyOfHeader(text);
  return found?.pattern === '{currency}' ? found : null;
}

/** The one currency that stands in all headers of two currencies each; null without one. */
function sharedCurrency(columns: readonly ValuedColumn[]): string | null {
  if (columns.length < 2) return null;
  const pairs = columns.map(({ header }) => currenciesIn(header)).filter((codes) => codes.length === 2);
  if (pairs.length < 2) return null;
  const shared = pairs[0]!.filter((code) => pairs.every((codes) => codes.includes(code)));
  return shared.length === 1 && /^[A-Z]{3}$/.test(shared[0]!) ? shared[0]! : null;
}

const MARK = '\u0000';

/** A header without the code that all have, for which a mark stands. */
const withoutCurrency = (header: string, shared: string | null): string =>
  shared === null ? header : header.replace(new RegExp(`\\b${shared}\\b`), MARK);

const withCurrency = (currency: HeaderCurrency, header: string, shared: string | null): HeaderCurrency =>
  shared === null || !header.includes(shared)
    ? currency
    : { ...currency, pattern: currency.pattern.replace(MARK, shared) };

/** The headers of some columns. */
const shown = (columns: readonly ValuedColumn[]): string =>
  columns
    .slice(0, 4)
    .map(({ header }) => quoted(header))
    .join(', ') + (columns.length > 4 ? ', …' : '');
