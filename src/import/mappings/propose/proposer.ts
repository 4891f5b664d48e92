import {
  countryName,
  isCountryCode,
  iso3OfForeignName,
  iso3OfIso2,
  iso3OfName,
  knownCountries,
  knownCountryCode,
} from '../../../lib/codes/countries.js';
import { currenciesOf } from '../../../lib/codes/country-currencies.js';
import { dayOf, isoFromDay } from '../../../lib/dates/calendar-date.js';
import { isMissingValue } from '../../../lib/text/missing-values.js';
import { decimalEvidence } from '../../formats/convention/number-signs.js';
import { periodOfWord } from '../../formats/other-words.js';
import type { Mapping } from '../mapping.js';
import { foldMonth, monthNames } from '../month-names.js';
import {
  type ColumnPattern,
  type DateFinding,
  findDates,
  isYear,
  monthLanguages,
  monthsOfName,
  calendarOfYear,
} from './date-patterns.js';
import {
  ARABIC_DECIMAL,
  ARABIC_GROUP,
  bareNumber,
  columnNames,
  hasMoney,
  headerParts,
  isNumber,
  cellKindOf,
  languagesIn,
  type Layout,
} from './layout.js';
import { type Level, levelOf } from './levels.js';
import { codesIn, currencyCodesOf, isUnit, type Money, moneyOfHeader, moneyOfTitle } from './money.js';
import type { Answer, Evidence, KnownNames, Proposal, ProposedColumn, Question } from './proposal.js';
import type { SampleRow, TableSample } from './sample.js';
import {
  fieldOfHeader,
  isExactHeader,
  isNote,
  isQuarter,
  priceTypesIn,
  sourceOfLine,
  statisticOf,
  totalWordOf,
  foldWords,
} from './words.js';

type MappingField = Mapping['fields'][string];
type MappingCondition = NonNullable<Mapping['end']>;

/** A column with its values. */
export interface ValuedColumn {
  readonly index: number;
  readonly ref: string | number;
  readonly header: string;
  readonly parts: readonly string[];
  /** Of the rows of the table, in order; '' where blank or missing. */
  readonly cells: readonly string[];
  /** Those that are not blank. */
  readonly values: readonly string[];
  readonly distinct: readonly string[];
  readonly isNumeric: boolean;
  /** The field of the mapping that it has; null where it is not read. */
  role: string | null;
}

/** Thrown where no mapping can be proposed, with the reason as a sentence. */
export class NoProposal extends Error {}

/** Fields of series that are keys, and have a value in every row. */
const KEYS = ['market', 'commodity'] as const;

const PRICE_TYPES = ['RETAIL', 'WHOLESALE', 'PRODUCER', 'EXPORT', 'IMPORT'];

const FIELD_NAMES: Readonly<Record<string, string>> = {
  iso3_country_code: 'country',
  market: 'market',
  commodity: 'commodity',
  price_type: 'price type',
  source: 'source',
  currency: 'currency',
  measure_unit: 'unit',
  date: 'date',
  periodicity: 'frequency',
  price_value: 'price',
};

/** Proposes a mapping for a table of prices. Those of other tables override what differs. */
export class Proposer {
  /** The table that is proposed, and its field of values. */
  protected readonly table: string = 'prices';
  protected readonly value: string = 'price_value';
  /** What a value is called in questions, and which ones can be stored. */
  protected readonly noun: string = 'price';
  protected readonly storable: string = 'daily, weekly and monthly prices';

  protected readonly fields: Record<string, { -readonly [K in keyof MappingField]: MappingField[K] }> = {};
  protected readonly evidence: Evidence[] = [];
  protected readonly questions: Question[] = [];
  protected readonly skip: MappingCondition[] = [];
  protected end: MappingCondition | undefined;
  protected unpivot: Mapping['unpivot'];
  protected join = ' ';
  protected columns: ValuedColumn[] = [];
  /** Columns whose cells become rows. */
  protected unpivoted: ValuedColumn[] = [];
  /** Those of a row of the header each. */
  protected levels: Level[] = [];
  protected rows: SampleRow[];
  protected readonly languages: string[];
  /** Texts above and below the table, and the names of file and sheet. */
  protected readonly context: string[];
  protected missing = new Set<string>();

  constructor(
    protected readonly sample: TableSample,
    protected readonly known: KnownNames,
    protected readonly layout: Layout,
    protected readonly encoding: string | undefined,
  ) {
    this.rows = [...layout.body];
    const texts = (rows: readonly SampleRow[]) =>
      rows.flatMap(({ cells }) => cells.map((cell) => cell.trim())).filter(Boolean);
    this.languages = languagesIn(texts([...layout.titles, ...layout.header]));
    this.context = [...texts(layout.titles), ...texts(layout.notes)];
  }

  /** @param table the question which table it is; null where it is known */
  propose(table: Question | null): Proposal {
    if (table !== null) this.ask(table);
    this.readHeader();
    this.leaveOutRows();
    this.readColumns();
    this.assignByHeader();
    this.findShape();
    this.findDate();
    this.assignByContent();
    this.fillDown();
    this.findTypes();
    this.findMoney();
    this.findCountry();
    this.findSource();
    this.askForKeys();
    this.findPeriodicity();
    this.findNumbers();
    this.checkDuplicates();
    this.findEnd();
    this.askForFile();
    this.checkUnread();
    return this.result();
  }

  protected say(control: string, text: string): void {
    this.evidence.push({ control, text });
  }

  protected ask(question: Omit<Question, 'because' | 'proposed'> & Partial<Question>): void {
    if (this.questions.some(({ control }) => control === question.control)) return;
    this.questions.push({ proposed: null, because: null, ...question });
  }

  protected confirm(name: string, text: string): void {
    this.ask({ control: `confirm.${name}`, text, answers: [{ value: 'yes', label: 'I have checked this' }] });
  }

  /** Of a wide table: columns with numbers that do not become rows are lost where nobody looks. */
  protected checkUnread(): void {
    if (this.unpivot === undefined) return;
    const unread = this.columns.filter(
      (column) =>
        column.role === null &&
        !this.unpivoted.includes(column) &&
        fieldOfHeader(column.header) === null &&
        // A mean of the others; beside other words it may be a price.
        (statisticOf(column.header) === null || /\s/.test(column.header)) &&
        column.values.some((text) => isNumber(text)),
    );
    if (unread.length === 0) return;
    const names = unread.slice(0, MAX_UNREAD).map(nameOf);
    const more = unread.length > names.length ? ` and ${unread.length - names.length} more` : '';
    this.confirm('unread', `Columns with numbers are not read: ${names.join(', ')}${more}.`);
  }

  /** Decides how header rows are joined, so that patterns can tell their parts. */
  protected readHeader(): void {
    const { header, width, numeric } = this.layout;
    const parts = headerParts(header, width);
    const several = numeric.filter((column) => parts[column]!.filter((part) => part !== '').length > 1);
    if (several.length > 1) this.join = ' | ';
    if (header.length === 0)
      this.say('dialect.headerRows', 'No row names the columns: they go by their numbers.');
    else this.say('dialect.headerRows', `Header in ${rowsText(header)}.`);
    if (this.layout.titles.length > 0) {
      const first = this.layout.titles[0]!.cells.find((cell) => cell.trim() !== '')!.trim();
      this.say(
        'dialect.headerRows',
        `Above it, as from row ${this.layout.titles[0]!.number}: ${quoted(first)}.`,
      );
    }
    if (this.layout.numbered.length > 0)
      this.say('dialect.commentRows', `${capital(rowsText(this.layout.numbered))} numbers the columns.`);
  }

  /** Finds repeated headers, totals and headings among the rows. */
  protected leaveOutRows(): void {
    const { header, numeric } = this.layout;
    const names = this.names();
    const refs = this.refs(names);
    const lastHeader = header.at(-1);
    const isText = (row: SampleRow, column: number) =>
      ['text', 'date'].includes(cellKindOf(row.cells[column] ?? ''));
    const found = new Map<string, { column: number; text: string; rows: SampleRow[]; startsWith: boolean }>();
    const headings: SampleRow[] = [];
    const kept: SampleRow[] = [];
    for (const row of this.rows) {
      const first = row.cells.findIndex((cell) => cell.trim() !== '');
      const text = row.cells[first]!.trim();
      const isRepeated =
        lastHeader !== undefined &&
        text === (lastHeader.cells[first] ?? '').trim() &&
        numeric.some(
          (column) =>
            isText(row, column) && row.cells[column]!.trim() === (lastHeader.cells[column] ?? '').trim(),
        );
      const total = !numeric.includes(first) || isText(row, first) ? totalOf(text) : null;
      if (isRepeated || total !== null) {
        const key = `${first} ${text}`;
        const one = found.get(key) ?? { column: first, text, rows: [], startsWith: false };
        one.rows.push(row);
        found.set(key, one);
        continue;
      }
      kept.push(row);
      const filled = row.cells.filter((cell) => cell.trim() !== '').length;
      if (filled === 1 && !numeric.includes(first)) headings.push(row);
    }
    this.rows = kept;
    for (const { column, text, rows } of found.values()) {
      this.skip.push({ column: refs[column]!, equals: text });
      this.say(
        'skip',
        `${capital(rowsText(rows))} with ${quoted(text)} ${rows.length === 1 ? 'is' : 'are'} left out.`,
      );
    }
    this.findHeadings(headings);
  }

  /** Rows with one text that say something of those below them. */
  protected findHeadings(headings: readonly SampleRow[]): void {
    const { numeric } = this.layout;
    const values = this.rows.filter((row) => !headings.includes(row));
    const lost = headings.filter((row) => {
      const column = row.cells.findIndex((cell) => cell.trim() !== '');
      // A column that only headings fill is filled down.
      return values.some(({ cells }) => (cells[column] ?? '').trim() !== '') || numeric.includes(column);
    });
    if (lost.length === 0) return;
    const shown = lost
      .slice(0, 4)
      .map(({ cells }) => quoted(cells.find((cell) => cell.trim() !== '')!.trim()));
    this.confirm(
      'headings',
      `${capital(rowsText(lost))} ${lost.length === 1 ? 'has' : 'have'} one text each and no value (${shown.join(', ')}). ` +
        'A mapping does not read such headings: where they say of which market or product the rows below ' +
        'them are, this file cannot be read right.',
    );
    this.rows = this.rows.filter((row) => !lost.includes(row));
  }

  protected names = () => columnNames(this.layout.header, this.layout.width, this.join);

  /** How a mapping names columns: by their names, or by their numbers where these are not clear. */
  protected refs(names: readonly string[]): (string | number)[] {
    return names.map((name, index) =>
      name === '' || names.filter((other) => other === name).length > 1 ? index + 1 : name,
    );
  }

  protected readColumns(): void {
    const names = this.names();
    const refs = this.refs(names);
    const parts = headerParts(this.layout.header, this.layout.width);
    this.columns = names.map((header, index): ValuedColumn => {
      const cells = this.rows.map((row) => {
        const text = (row.cells[index] ?? '').trim();
        if (!isMissingValue(text)) return text;
        this.missing.add(text);
        return '';
      });
      const values = cells.filter((cell) => cell !== '');
      const numbers = values.filter(isNumber).length;
      return {
        index,
        ref: refs[index]!,
        header,
        parts: parts[index]!,
        cells,
        values,
        distinct: [...new Set(values)],
        isNumeric: values.length > 0 && numbers >= values.length * MIN_NUMERIC,
        role: null,
      };
    });
  }

  protected free = () => this.columns.filter(({ role, values }) => role === null && values.length > 0);
  protected of = (role: string): ValuedColumn | undefined =>
    this.columns.find((column) => column.role === role);
  protected has = (field: string) => Object.hasOwn(this.fields, field) || this.inHeader(field);
  protected inHeader = (field: string) => this.unpivot?.columns.includes(`{${field}}`) ?? false;

  protected assign(column: ValuedColumn, field: string, why: string): void {
    column.role = field;
    this.fields[field] = { column: column.ref };
    this.say(`fields.${field}`, why);
  }

  /** Columns whose header says what they have, where their values are such. */
  protected assignByHeader(): void {
    const found = new Map<string, ValuedColumn[]>();
    for (const column of this.columns) {
      const text = column.parts.at(-1) ?? '';
      const field = fieldOfHeader(column.header) ?? fieldOfHeader(text);
      if (field === null || !this.fits(column, field)) continue;
      found.set(field, [...(found.get(field) ?? []), column]);
    }
    this.assignUnits(found);
    for (const [field, columns] of found) {
      if (['number', 'quality', 'day', 'variety', 'price_value', 'date'].includes(field)) continue;
      if (field === 'admin_unit' || field === 'admin_unit2') continue;
      const exact = columns.filter(({ header }) => isExactHeader(field as 'market', header));
      const chosen = columns.length === 1 ? columns : exact.length === 1 ? exact : [];
      if (chosen.length === 1)
        this.assign(chosen[0]!, field, `The column is called ${quoted(chosen[0]!.header)}.`);
      else if (field === 'year' || field === 'month') continue;
      else
        this.ask({
          control: `fields.${field}`,
          text: `Which column has the ${FIELD_NAMES[field] ?? field}?`,
          answers: columns.map(columnAnswer),
        });
    }
    // Without the other one, neither is read.
    const [year, month] = [this.of('year'), this.of('month')];
    if (
      month !== undefined &&
      year === undefined &&
      month.distinct.every((text) => findDates([text]) !== null)
    ) {
      this.release(month, 'month');
    }
  }

  protected release(column: ValuedColumn, field: string): void {
    column.role = null;
    delete this.fields[field];
    const at = this.evidence.findIndex(({ control }) => control === `fields.${field}`);
    if (at >= 0) this.evidence.splice(at, 1);
  }

  /** Regions and districts: the larger ones have fewer names. */
  protected assignUnits(found: ReadonlyMap<string, readonly ValuedColumn[]>): void {
    const columns = [...(found.get('admin_unit') ?? []), ...(found.get('admin_unit2') ?? [])];
    const ordered = columns.sort(
      (one, other) => one.distinct.length - other.distinct.length || one.index - other.index,
    );
    for (const [at, field] of (['admin_unit', 'admin_unit2'] as const).entries()) {
      const column = ordered[at];
      if (column === undefined) continue;
      const words = ordered.length === 1 ? '' : at === 0 ? ', with the fewest names' : ', with more names';
      this.assign(column, field, `The column is called ${quoted(column.header)}${words}.`);
    }
  }

  /** Whether the values of a column can be those of a field. */
  protected fits({ values, distinct, isNumeric }: ValuedColumn, field: string): boolean {
    if (values.length === 0) return false;
    const most = (is: (text: string) => boolean) => distinct.filter(is).length >= distinct.length * MIN_SHARE;
    switch (field) {
      case 'price_value':
        return isNumeric;
      case 'latitude':
        return most((text) => Math.abs(Number(text.replace(',', '.'))) <= 90);
      case 'longitude':
        return most((text) => Math.abs(Number(text.replace(',', '.'))) <= 180);
      case 'year':
        return most((text) => isYear(text) || calendarOfYear(text) !== null);
      case 'month':
        return (
          most((text) => monthsOfName(text).size > 0 || (Number(text) >= 1 && Number(text) <= 12)) ||
          findDates(values, this.languages) !== null
        );
      case 'date':
        return true;
      case 'iso3_country_code':
        return most((text) => countryOf(text) !== null);
      case 'currency':
        return most((text) => currencyCodesOf(text).length > 0);
      case 'periodicity':
        return most((text) => ['daily', 'weekly', 'monthly'].includes(periodOfWord(text)));
      case 'market':
      case 'commodity':
      case 'category':
      case 'admin_unit':
      case 'admin_unit2':
      case 'measure_unit':
      case 'price_type':
      case 'source':
        return !isNumeric;
      default:
        return true;
    }
  }

  /** Finds the column of the price, or the columns that become rows. */
  protected findShape(): void {
    let candidates = this.free().filter(
      (column) => column.isNumeric && !this.isAside(column) && !this.isDateColumn(column),
    );
    if (candidates.length === 0)
      candidates = this.free().filter(({ isNumeric, header }) => isNumeric && statisticOf(header) !== null);
    if (candidates.length === 0)
      throw new NoProposal(`No column of the table has numbers that can be ${this.noun}s.`);
    const priced = candidates.filter(
      ({ header, parts }) => isPriceHeader(header) || isPriceHeader(parts.at(-1) ?? ''),
    );
    const plain = candidates.filter(({ header }) => statisticOf(header) === null);
    const [only] = plain.length === 1 ? plain : candidates.length === 1 ? candidates : [];
    const exact = priced.filter(
      ({ header }) => fieldOfHeader(header) === 'price_value' && statisticOf(header) === null,
    );
    if (only === undefined && exact.length === 1 && priced.length === 1)
      return this.takePrice(exact[0]!, `The column is called ${quoted(exact[0]!.header)}.`);
    if (only !== undefined && !this.namesSeries(only, priced.includes(only))) {
      const others = candidates.filter((one) => one !== only);
      const not =
        others.length === 0 ? '' : `, and ${others.map(({ header }) => quoted(header)).join(', ')} not`;
      return this.takePrice(
        only,
        priced.includes(only)
          ? `The column ${quoted(only.header)} is read${not}.`
          : `${columnOf(only)} is the only one of other numbers${not}.`,
      );
    }
    if (this.layout.header.length === 0) {
      return this.ask({
        control: `fields.${this.value}`,
        text: `Which column has the ${this.noun}?`,
        answers: candidates.map(columnAnswer),
      });
    }
    this.findWide(candidates, plain);
  }

  /** Whether the header of the only column of values says a date, a product or a market. */
  protected namesSeries({ parts }: ValuedColumn, isPriced: boolean): boolean {
    if (isPriced) return false;
    return parts.some((part) => part !== '' && findDates([part], this.languages) !== null);
  }

  protected takePrice(column: ValuedColumn, why: string): void {
    this.assign(column, this.value, why);
  }

  /** Columns of numbers that are no prices. */
  protected isAside({ header, parts, distinct }: ValuedColumn): boolean {
    const field = fieldOfHeader(header) ?? fieldOfHeader(parts.at(-1) ?? '');
    if (field !== null && field !== 'price_value') return field !== 'market' && field !== 'commodity';
    const words = ` ${foldWords(header)} `;
    if (/ (?:id|code|no|numero|nr|n|rank|year|annee|ano) /.test(words) && !isPriceHeader(header)) return true;
    return header === '' && distinct.every((text, at) => Number(text) === at + 1);
  }

  protected isDateColumn(column: ValuedColumn): boolean {
    const field = fieldOfHeader(column.header);
    if (field === 'date' || field === 'year' || field === 'month') return true;
    return (
      column.distinct.length > 1 &&
      column.values.every((text) => isYear(text)) &&
      !isPriceHeader(column.header)
    );
  }

  protected findWide(all: readonly ValuedColumn[], plain: readonly ValuedColumn[]): void {
    // Averages and changes beside months or names are no part of the table.
    let columns = plain.length >= 1 && plain.length < all.length ? plain : all;
    const dropped = all.filter((column) => !columns.includes(column));
    const levels = this.levelsOf(columns);
    const dated = levels.some(({ kind }) => ['date', 'month', 'year'].includes(kind));
    if (!dated && columns.length > 2) {
      const dates = columns.filter(({ parts }) =>
        parts.some((part) => findDates([part], this.languages) !== null || monthsOfName(part).size > 0),
      );
      if (dates.length > columns.length / 2) {
        dropped.push(...columns.filter((column) => !dates.includes(column)));
        columns = dates;
      }
    }
    this.levels = this.levelsOf(columns);
    this.unpivoted = [...columns];
    this.buildPattern(dropped);
  }

  protected levelsOf(columns: readonly ValuedColumn[]): Level[] {
    return this.layout.header.map((_, row) =>
      levelOf(
        columns.map(({ parts }) => parts[row]!),
        this.languages,
      ),
    );
  }

  /** Builds the pattern of the headers of columns that become rows. */
  protected buildPattern(dropped: readonly ValuedColumn[]): void {
    const used = this.levels.filter((level) => level.kind !== 'constant' || level.pattern !== '');
    const namings = this.namingsOf(used.filter(({ kind }) => kind === 'name'));
    if (namings.length === 0) return this.askForPrice();
    const patternsOf = (naming: readonly string[]) => {
      let names = 0;
      return used.map((level): string => {
        if (level.kind === 'quarter') throw new NoProposal(`${QUARTERS} ${this.storable} can.`);
        const field = level.kind === 'name' ? naming[names++] : FIELD_OF_LEVEL[level.kind];
        const pattern = field === undefined ? level.pattern : level.pattern.replace('{}', `{${field}}`);
        return pattern.replace('{unit}', '{measure_unit}');
      });
    };
    const patterns = patternsOf(namings[0]!);
    const statistics = used.findIndex(({ kind }) => kind === 'statistic');
    if (statistics >= 0) return this.askForStatistic(used, patterns, statistics);
    this.unpivot = { columns: patterns.join(this.join), value: this.value };
    const shown = this.unpivoted
      .slice(0, 3)
      .map(({ header }) => quoted(header))
      .join(', ');
    const more = this.unpivoted.length > 3 ? ', …' : '';
    this.say('unpivot.columns', `${this.unpivoted.length} columns become rows: ${shown}${more}.`);
    if (dropped.length > 0)
      this.say('unpivot.columns', `Not read: ${dropped.map(({ header }) => quoted(header)).join(', ')}.`);
    if (namings.length > 1)
      this.ask({
        control: 'unpivot.columns',
        text: `What do the headers ${shown}${more} name?`,
        answers: namings.map((naming): Answer => ({
          value: patternsOf(naming).join(this.join),
          label: naming.map((field) => (field === 'market' ? 'Markets' : 'Products')).join(', then '),
        })),
      });
    for (const column of this.unpivoted) column.role = this.value;
    this.restrictNames(used, dropped);
    for (const { kind, names: texts } of used)
      if (kind === 'type')
        this.fields.price_type = {
          values: Object.fromEntries(texts.map((text) => [text, priceTypesIn(text)[0]!])),
        };
  }

  protected askForPrice(): void {
    const columns = this.unpivoted;
    this.levels = [];
    this.unpivoted = [];
    this.ask({
      control: `fields.${this.value}`,
      text: `Which column has the ${this.noun}?`,
      answers: columns.map(columnAnswer),
    });
  }

  /** The fields that the names in headers can be of, one for each level of names. */
  protected namingsOf(levels: readonly Level[]): string[][] {
    const open = KEYS.filter((field) => this.of(field) === undefined);
    if (levels.length === 0) return [[]];
    if (levels.length > open.length) return [];
    if (levels.length === 1) {
      const [only] = levels as [Level];
      if (open.length === 1) {
        this.say(
          'unpivot.columns',
          `The headers are ${open[0] === 'market' ? 'markets: the product' : 'products: the market'} has a column.`,
        );
        return [[open[0]!]];
      }
      const field = this.knownNames(only);
      return field === null ? [['commodity'], ['market']] : [[field]];
    }
    const [first, second] = levels.map((level) => this.knownNames(level));
    if (first === 'market' || second === 'commodity') return [['market', 'commodity']];
    if (first === 'commodity' || second === 'market') return [['commodity', 'market']];
    return [
      ['commodity', 'market'],
      ['market', 'commodity'],
    ];
  }

  /** The records that names are of, where more of them are known as such; else null. */
  protected knownNames({ names }: Level): string | null {
    const distinct = [...new Set(names)];
    const count = (table: 'market' | 'commodity') =>
      distinct.filter((name) => this.known.has(table, name)).length;
    const [markets, commodities] = [count('market'), count('commodity')];
    if (markets === commodities) return null;
    const most = Math.max(markets, commodities);
    this.say(
      'unpivot.columns',
      `${most} of ${distinct.length} headers are names of ${markets > commodities ? 'markets' : 'commodities'} known here.`,
    );
    return markets > commodities ? 'market' : 'commodity';
  }

  /** Where other headers fit the pattern as well, the names that are meant are listed. */
  protected restrictNames(levels: readonly Level[], dropped: readonly ValuedColumn[]): void {
    const level = levels.find(({ kind }) => kind === 'name');
    const others = [
      ...dropped,
      ...this.columns.filter(({ role }) => role === null && !this.unpivoted.includes(this.columns[0]!)),
    ];
    if (level === undefined || others.length === 0) return;
    const field = this.inHeader('commodity') && !this.inHeader('market') ? 'commodity' : 'market';
    if (this.inHeader('commodity') && this.inHeader('market')) return;
    this.fields[field] = {
      values: Object.fromEntries([...new Set(level.names)].map((name) => [name, name])),
    };
  }

  /** Several statistics of one price: which of them is the price is for people. */
  protected askForStatistic(levels: readonly Level[], patterns: readonly string[], at: number): void {
    const texts = [
      ...new Set(this.unpivoted.map(({ parts }) => parts[this.layout.header.length - levels.length + at]!)),
    ];
    const isLong =
      levels.length === 1 || levels.every(({ kind }, index) => index === at || kind === 'constant');
    if (isLong) {
      this.ask({
        control: `fields.${this.value}`,
        text: `Which of the columns is the ${this.noun}: ${texts.map(quoted).join(', ')}?`,
        answers: this.unpivoted.map(columnAnswer),
        ...likelyAnswer(this.unpivoted.map((column) => ({ ...columnAnswer(column), label: column.header }))),
      });
      this.levels = [];
      this.unpivoted = [];
      return;
    }
    const answers = texts.map((text): Answer => {
      const pattern = patterns
        .map((part, index) => (index === at ? text : part))
        .filter((part) => part !== '')
        .join(this.join);
      return { value: pattern, label: text };
    });
    this.unpivot = { columns: answers[0]!.value, value: this.value };
    for (const column of this.unpivoted) column.role = this.value;
    this.ask({
      control: 'unpivot.columns',
      text: `Which of the columns is the ${this.noun}: ${texts.map(quoted).join(', ')}?`,
      answers,
      ...likelyAnswer(answers),
    });
  }

  /** Finds the column, or the columns, of the date. */
  protected findDate(): void {
    const dateLevel = this.levels.find(({ kind }) => kind === 'date');
    if (dateLevel !== undefined)
      return this.takeDates('date', null, dateLevel.dates!, 'The headers of columns are dates');
    const monthLevel = this.levels.find(({ kind }) => kind === 'month');
    if (monthLevel !== undefined) return this.takeMonths(monthLevel);
    const [year, month] = [this.of('year'), this.of('month')];
    const yearLevel = this.levels.find(({ kind }) => kind === 'year');
    if (yearLevel !== undefined) return this.takeYears(yearLevel, month);
    if (year !== undefined && month !== undefined && !this.hasDates(month))
      return this.takeYearAndMonth(year, month);
    const quarters = this.columns.find(
      ({ distinct }) =>
        distinct.length > 0 &&
        distinct.every(isQuarter) &&
        !distinct.every((text) => findDates([text]) !== null),
    );
    const named = this.columns.filter(
      (column) => fieldOfHeader(column.header) === 'date' || column.role === 'month',
    );
    const found = (named.length > 0 ? named : this.free().filter(({ isNumeric }) => !isNumeric))
      .map((column) => ({ column, dates: findDates(column.values, this.languages) }))
      .filter(({ dates }) => dates !== null);
    if (found.length === 0 && named.length > 0) {
      const serial = named.find(({ distinct }) =>
        distinct.every((text) => /^(?:1[89]|[2-9]\d|10\d)\d{3}(?:\.0+)?$/.test(text)),
      );
      if (serial !== undefined) {
        this.assign(
          serial,
          'date',
          `${columnOf(serial)} has days as spreadsheets number them: ${serial.values[0]} is ${serialDay(serial.values[0]!)}.`,
        );
        this.fields.date!.format = 'excel';
        return;
      }
    }
    if (found.length === 0) {
      const all = this.free()
        .map((column) => ({ column, dates: findDates(column.values, this.languages) }))
        .filter(({ dates }) => dates !== null);
      found.push(...all);
    }
    if (year !== undefined) this.release(year, 'year');
    if (month !== undefined) this.release(month, 'month');
    if (found.length === 0) {
      if (quarters !== undefined)
        throw new NoProposal(
          `${columnOf(quarters)} has quarters of a year, which cannot be stored: only ${this.storable} can.`,
        );
      if (year === undefined) return this.askForDate();
      if (this.takeOtherCalendar(year)) return;
      throw new NoProposal(`${YEARS} ${this.storable} can.`);
    }
    const [{ column, dates }] = found as [{ column: ValuedColumn; dates: DateFinding }];
    if (found.length > 1)
      this.ask({
        control: 'fields.date',
        text: `Which column has the date: ${found.map((one) => nameOf(one.column)).join(', ')}?`,
        answers: found.map((one) => columnAnswer(one.column)),
        proposed: `column:${column.index + 1}`,
        because: 'It comes first.',
      });
    this.takeDates('date', column, dates, `${columnOf(column)} has dates`);
  }

  /** Whether the texts of a column are dates. */
  protected hasDates = (column: ValuedColumn) => findDates(column.values, this.languages) !== null;

  protected askForDate(): void {
    const constant = this.context
      .concat(this.sample.sheetName ?? '', this.sample.fileName)
      .flatMap((text) => text.match(/\p{L}+ \d{4}|\d{4}-\d{2}(?:-\d{2})?|\d{1,2}\/\d{1,2}\/\d{4}/gu) ?? [])
      .find((text) => findDates([text]) !== null);
    this.fields.date = {
      ...(constant === undefined ? {} : this.patternOf(findDates([constant], this.languages)!.patterns[0]!)),
    };
    this.ask({
      control: 'fields.date',
      text: `No column has dates: of which date are the ${this.noun}s?`,
      answers: [],
      proposed: constant === undefined ? null : `value:${constant}`,
      because: constant === undefined ? null : `The title, the sheet or the file says ${quoted(constant)}.`,
    });
  }

  protected patternOf({ pattern, language }: ColumnPattern): { format: string; language?: string } {
    return { format: pattern, ...(language === null || language === 'en' ? {} : { language }) };
  }

  protected takeDates(field: 'date', column: ValuedColumn | null, dates: DateFinding, begin: string): void {
    const [first] = dates.patterns as [ColumnPattern, ...ColumnPattern[]];
    if (column === null) this.fields[field] = { ...this.patternOf(first) };
    else {
      column.role = field;
      this.fields[field] = { column: column.ref, ...this.patternOf(first) };
    }
    const example = [...first.readings.keys()][0]!;
    this.say(`fields.${field}`, `${begin} such as ${quoted(example)}.`);
    if (dates.patterns.length > 1 || dates.contradicting.length > 0) return this.askForOrder(dates);
    this.say(`fields.${field}.format`, this.orderEvidence(first));
    const years = [...first.readings.values()].map((reading) => Number(reading.slice(0, 4)));
    if (first.pattern.includes('%y') && Math.max(...years) - Math.min(...years) > MAX_YEARS)
      this.confirm(
        'years',
        `The years of two digits are read as ${Math.min(...years)} to ${Math.max(...years)}.`,
      );
    if (dates.unread.length > 0)
      this.say(`fields.${field}.format`, `No date: ${dates.unread.slice(0, 3).map(quoted).join(', ')}.`);
    if (first.pattern.includes('%V') && !/^%G-?W%V$/.test(first.pattern))
      this.confirm(
        'weeks',
        `Weeks such as ${quoted(example)} are read as those of ISO 8601: the first one has the first Thursday.`,
      );
  }

  protected askForOrder(dates: DateFinding): void {
    const example =
      dates.contradicting[0] ??
      [...dates.patterns[0]!.readings].find(([text, reading]) =>
        dates.patterns.some((other) => other.readings.get(text) !== reading),
      )![0];
    const answers = dates.patterns.map(({ pattern, readings }): Answer => ({
      value: pattern,
      label: `${patternWords(pattern)}: ${example} is ${readings.get(example) ?? 'no date'}`,
    }));
    this.ask({
      control: 'fields.date.format',
      text:
        dates.contradicting.length > 0
          ? `Dates are written in different ways: ${quoted([...dates.patterns[0]!.readings.keys()][0]!)}, but ${quoted(example)}. How are they to be read? Others are rejected.`
          : `Nothing shows the order of the dates: how is ${quoted(example)} to be read?`,
      answers,
    });
  }

  protected orderEvidence({ pattern, readings }: ColumnPattern): string {
    const words = patternWords(pattern);
    if (!/%d.%m|%m.%d/.test(pattern)) return `${words}: ${readings.size} values.`;
    const above = [...readings.values()].filter((reading) => Number(reading.slice(8)) > 12).length;
    return above > 0 ? `${words}: ${above} values above 12.` : `${words}: ${readings.size} values.`;
  }

  /** Months in headers: with years in headers, or in a column. */
  protected takeMonths(level: Level): void {
    const yearLevel = this.levels.find(({ kind }) => kind === 'year');
    const language = level.languages[0];
    this.fields.month =
      language === undefined || language === 'en'
        ? {}
        : { language: this.languages.find((one) => level.languages.includes(one)) ?? language };
    this.say('fields.month', `The headers of columns are months: ${quoted(level.names[0]!)}.`);
    if (yearLevel !== undefined) {
      this.fields.year = {};
      this.say('fields.year', `The headers above them are years: ${quoted(yearLevel.names[0]!)}.`);
      return;
    }
    const year =
      this.of('year') ?? this.free().find(({ distinct }) => distinct.length > 0 && distinct.every(isYear));
    if (year !== undefined) {
      if (year.role !== 'year') this.assign(year, 'year', `${columnOf(year)} has years.`);
      return;
    }
    const constants = this.levels.filter(({ kind }) => kind === 'constant').map(({ pattern }) => pattern);
    const [said] = [...constants, ...this.context, this.sample.sheetName ?? '', this.sample.fileName].flatMap(
      (text) => text.match(/(?<!\d)(?:19|20)\d\d(?!\d)/g) ?? [],
    );
    this.ask({
      control: 'fields.year',
      text: 'The columns are months: of which year?',
      answers: [],
      proposed: said === undefined ? null : `value:${said}`,
      because: said === undefined ? null : `The title, the sheet or the file says ${said}.`,
    });
  }

  /** Years in headers, beside a column of months. */
  protected takeYears(level: Level, named: ValuedColumn | undefined): void {
    const month =
      named ??
      this.free().find(
        ({ distinct }) => distinct.length > 0 && distinct.every((text) => monthsOfName(text).size > 0),
      );
    if (month === undefined) throw new NoProposal(`${YEARS} ${this.storable} can.`);
    if (month.role !== 'month') this.assign(month, 'month', `${columnOf(month)} has months.`);
    this.fields.year = {};
    this.say('fields.year', `The headers of columns are years: ${quoted(level.names[0]!)}.`);
    this.takeMonthNames(month);
  }

  protected takeYearAndMonth(year: ValuedColumn, month: ValuedColumn): void {
    this.takeMonthNames(month);
    const other = year.distinct.map(calendarOfYear).find((calendar) => calendar !== null);
    if (other) this.askForCalendar('year', other, year.distinct[0]!);
  }

  /** Takes years beside months that have names of another calendar. @returns whether it did */
  protected takeOtherCalendar(year: ValuedColumn): boolean {
    for (const column of this.columns)
      for (const [calendar, languages] of MONTHS_OF_CALENDARS)
        for (const language of languages) {
          const names = monthNames(language, calendar);
          const known = column.distinct.filter((text) => names.has(foldMonth(text)));
          if (known.length === 0 || known.length < column.distinct.length * MIN_SHARE) continue;
          this.assign(year, 'year', `${columnOf(year)} has years.`);
          this.assign(
            column,
            'month',
            `${columnOf(column)} has months of the ${calendar} calendar, such as ${quoted(known[0]!)}.`,
          );
          this.fields.year!.calendar = calendar;
          this.fields.month = {
            ...this.fields.month,
            calendar,
            ...(language === 'en' ? {} : { language }),
          };
          const unknown = column.distinct.filter((text) => !names.has(foldMonth(text)));
          if (unknown.length > 0)
            this.confirm(
              'months',
              `No months of this calendar: ${unknown.slice(0, 3).map(quoted).join(', ')}. Rows with them are rejected.`,
            );
          return true;
        }
    return false;
  }

  protected takeMonthNames(month: ValuedColumn): void {
    const names = month.distinct.filter((text) => !/^\d+$/.test(text));
    if (names.length === 0) return;
    const languages = monthLanguages(names) ?? [];
    const language = this.languages.find((one) => languages.includes(one)) ?? languages[0];
    if (language !== undefined && language !== 'en') this.fields.month!.language = language;
    if (language === undefined) {
      const unknown = names.filter((text) => monthsOfName(text).size === 0);
      this.confirm(
        'months',
        `Not all months are names of one language: ${unknown.slice(0, 3).map(quoted).join(', ')}. Rows with others are rejected.`,
      );
    }
  }

  protected askForCalendar(field: string, calendar: string, example: string): void {
    this.ask({
      control: `fields.${field}.calendar`,
      text: `Of which calendar is the year ${quoted(example)}?`,
      answers: ['gregorian', 'buddhist', 'persian', 'ethiopic'].map((value) => ({ value, label: value })),
      proposed: calendar,
      because: 'Such years are of no other one.',
    });
  }

  /** Columns whose values say what they are, where the header does not. */
  protected assignByContent(): void {
    for (const [field, is, words] of CONTENTS) {
      if (this.has(field) || this.isAsked(field)) continue;
      const [column] = this.free().filter(
        ({ isNumeric, distinct }) => !isNumeric && distinct.filter(is).length >= distinct.length * MIN_SHARE,
      );
      if (column !== undefined)
        this.assign(
          column,
          field,
          `${columnOf(column)} has ${words}: ${column.distinct.slice(0, 3).map(quoted).join(', ')}.`,
        );
    }
    for (const field of KEYS) {
      if (this.has(field) || this.isAsked(field)) continue;
      const shares = this.free()
        .filter(({ isNumeric }) => !isNumeric)
        .map((column) => ({
          column,
          count: column.distinct.filter((name) => this.known.has(field, name)).length,
        }))
        .filter(({ column, count }) => count > 0 && count >= column.distinct.length / 2)
        .sort((one, other) => other.count - one.count);
      const [best] = shares;
      if (best === undefined) continue;
      const names = field === 'market' ? 'markets' : 'commodities';
      this.assign(
        best.column,
        field,
        `${columnOf(best.column)}: ${best.count} of ${best.column.distinct.length} values are names of ${names} known here.`,
      );
    }
  }

  protected isAsked = (field: string) => this.questions.some(({ control }) => control === `fields.${field}`);

  /** Cells that are blank because the one above stands for them. */
  protected fillDown(): void {
    for (const column of this.columns) {
      const { role, cells } = column;
      if (role === null || role === this.value || this.fields[role]?.column === undefined) continue;
      const blank = this.blankRows(column);
      if (blank === 0) continue;
      const isRequired = [
        ...KEYS,
        'date',
        'year',
        'month',
        'iso3_country_code',
        'measure_unit',
        'currency',
      ].includes(role);
      const isGrouped = new Set(column.values).size === column.values.length || blank >= cells.length / 2;
      if (cells.find((cell, index) => cell !== '' || this.hasValue(index)) === '') {
        if (isRequired) this.say(`fields.${role}`, `${blank} cells are blank: these rows are rejected.`);
        continue;
      }
      if (isRequired && isGrouped) {
        this.fields[role].fillDown = true;
        this.say(`fields.${role}`, `${blank} blank cells have the value above them.`);
      } else if (isRequired || (isGrouped && role.startsWith('admin')))
        this.ask({
          control: `fields.${role}.fillDown`,
          text: `${blank} cells of ${nameOf(column)} are blank: do they have the value above them?`,
          answers: [
            { value: 'true', label: 'Yes, as merged cells do' },
            { value: 'false', label: isRequired ? 'No: such rows are rejected' : 'No: they stay blank' },
          ],
          ...(isGrouped ? { proposed: 'true', because: 'Each name stands above blank cells once.' } : {}),
        });
    }
  }

  protected blankRows = ({ index }: ValuedColumn) =>
    this.rows.filter((row, at) => (row.cells[index] ?? '').trim() === '' && this.hasValue(at)).length;

  protected hasValue(at: number): boolean {
    const prices = this.priceColumns();
    const columns = prices.length > 0 ? prices : this.columns.filter(({ isNumeric }) => isNumeric);
    return columns.some(({ cells }) => cells[at] !== '');
  }

  /** Types of prices, as the service calls them. */
  protected findTypes(): void {
    const column = this.of('price_type');
    if (column !== undefined) {
      const known = column.distinct.map((text) => [text, priceTypesIn(text)] as const);
      const unclear = known.filter(
        ([text, types]) => types.length !== 1 && !PRICE_TYPES.includes(text.toUpperCase()),
      );
      const values = known.filter(([text, types]) => types.length === 1 && types[0] !== text.toUpperCase());
      if (unclear.length > 0)
        this.ask({
          control: 'fields.price_type.values',
          text: `What do ${unclear
            .slice(0, 6)
            .map(([text]) => quoted(text))
            .join(', ')} stand for: RETAIL, WHOLESALE, PRODUCER, …?`,
          answers: [],
        });
      if (values.length > 0 || unclear.length > 0)
        this.fields.price_type!.values = Object.fromEntries(
          known.map(([text, types]) => [
            text,
            types.length === 1 ? types[0]! : unclear.some(([one]) => one === text) ? '' : text.toUpperCase(),
          ]),
        );
      return;
    }
    if (this.has('price_type') || this.isAsked('price_type')) return;
    const price = this.of(this.value);
    const headers = [
      price?.header ?? '',
      ...this.levels.filter(({ kind }) => kind !== 'name').map(({ pattern }) => pattern),
    ];
    const inHeader = [...new Set(headers.flatMap(priceTypesIn))];
    if (inHeader.length === 1) {
      this.fields.price_type = { value: inHeader[0]! };
      return this.say(
        'fields.price_type',
        `The header ${quoted(headers.find((text) => priceTypesIn(text).length > 0)!)} says it.`,
      );
    }
    const said = [...this.context, this.sample.sheetName ?? '', this.sample.fileName.replaceAll('_', ' ')];
    const types = [...new Set(said.flatMap(priceTypesIn))];
    this.ask({
      control: 'fields.price_type',
      text: 'Which prices are these?',
      answers: PRICE_TYPES.map((type) => ({ value: `value:${type}`, label: type.toLowerCase() })),
      proposed: types.length === 1 ? `value:${types[0]}` : null,
      because:
        types.length === 1
          ? `It is in ${quoted(said.find((text) => priceTypesIn(text).length > 0)!)}.`
          : null,
    });
  }

  protected findCountry(): void {
    const column = this.of('iso3_country_code');
    if (column !== undefined || this.isAsked('iso3_country_code')) return;
    const { proposed, because } = this.likelyCountry();
    this.ask({
      control: 'fields.iso3_country_code',
      text: 'Of which country are the prices?',
      answers: [],
      proposed: proposed === null ? null : `value:${proposed}`,
      because,
    });
  }

  protected likelyCountry(): { proposed: string | null; because: string | null } {
    const market = this.of('market');
    if (market !== undefined) {
      const counts = new Map<string, number>();
      for (const name of market.distinct)
        for (const iso3 of this.known.countriesOfMarket(name)) counts.set(iso3, (counts.get(iso3) ?? 0) + 1);
      const [best] = [...counts].sort(([, one], [, other]) => other - one);
      if (best !== undefined && best[1] >= market.distinct.length / 2)
        return {
          proposed: best[0],
          because: `${best[1]} of ${market.distinct.length} markets are known in ${countryName(best[0])}.`,
        };
    }
    for (const text of [...this.context, this.sample.sheetName ?? '', this.sample.fileName]) {
      const named = countriesIn(text);
      if (named.length === 1) return { proposed: named[0]!, because: `It is named in ${quoted(text)}.` };
    }
    const currency = this.fields.currency?.value;
    if (currency === undefined) return { proposed: null, because: null };
    const users = knownCountries.filter(({ iso3 }) => currenciesOf(iso3)[0] === currency);
    return users.length === 1
      ? { proposed: users[0]!.iso3, because: `Its currency is ${currency}.` }
      : { proposed: null, because: null };
  }

  protected findSource(): void {
    if (this.has('source') || this.isAsked('source')) return;
    const said = this.context.map(sourceOfLine).find((text) => text !== null) ?? null;
    this.ask({
      control: 'fields.source',
      text: `Who has published the ${this.noun}s?`,
      answers: [],
      proposed: said === null ? null : `value:${said}`,
      because: said === null ? null : 'A line of the file says so.',
    });
  }

  /** Currency and unit: of columns, of headers, else of titles, which are asked. */
  protected findMoney(): void {
    const likely = this.likelyCountry().proposed;
    const column = this.of('currency');
    if (column !== undefined) this.findCurrencies(column, likely);
    const price = this.of(this.value);
    const headers = [
      ...(this.unpivoted.length === 0 && price !== undefined
        ? [moneyOfHeader(price.header)?.money ?? moneyOfTitle(price.header)]
        : []),
      ...(this.unpivoted.length === 0 && price !== undefined
        ? price.parts.map((part) => moneyOfHeader(part)?.money ?? null)
        : []),
      ...this.levels.map(({ money }) => money),
    ].filter((money): money is Money => money !== null);
    const titles = [...this.context, ...this.priceColumns().flatMap(({ parts }) => parts)]
      .map((text) => ({ text, money: moneyOfTitle(text.trim()) }))
      .filter(({ money }) => money !== null) as { text: string; money: Money }[];
    if (!this.has('currency') && !this.isAsked('currency')) {
      const inHeader = headers.find(({ currency }) => currency !== null)?.currency;
      const named = titles.filter(({ money }) => money.currency !== null);
      // Two of them contradict each other.
      const isOne = new Set(named.map(({ money }) => money.currency!.codes.join())).size < 2;
      const inTitle = isOne ? named[0] : undefined;
      const inCells = this.currencyOfCells();
      if (inHeader) this.takeCurrency(inHeader.text, inHeader.codes, likely, 'The header says');
      else if (inCells !== null) this.takeCurrency(inCells.text, inCells.codes, likely, 'The cells have');
      else {
        const codes = inTitle === undefined ? [] : codesIn(inTitle.money.currency!.codes, likely);
        const own = likely === null || !isOne ? undefined : currenciesOf(likely)[0];
        this.ask({
          control: 'fields.currency',
          text: 'In which currency are the prices?',
          answers: [],
          proposed: codes.length === 1 ? `value:${codes[0]}` : own === undefined ? null : `value:${own}`,
          because:
            codes.length === 1
              ? `It is in ${quoted(inTitle!.text)}.`
              : own === undefined
                ? null
                : `It is the currency of ${countryName(likely!)}.`,
        });
      }
    }
    this.levels.forEach(({ units }) => {
      if (units.length > 0) this.say('unpivot.columns', `Headers have units: ${quoted(units[0]!)}.`);
    });
    if (this.has('measure_unit') || this.isAsked('measure_unit')) return;
    const inHeader = headers.find(({ unit }) => unit !== null)?.unit;
    const named = titles.filter(({ money }) => money.unit !== null);
    const inTitle = new Set(named.map(({ money }) => money.unit)).size < 2 ? named[0] : undefined;
    if (inHeader) {
      this.fields.measure_unit = { value: inHeader };
      return this.say('fields.measure_unit', `The header says ${quoted(inHeader)}.`);
    }
    if (this.unitsOfNames()) return;
    this.ask({
      control: 'fields.measure_unit',
      text: 'Of which quantity are the prices, such as kg, 50 kg or l?',
      answers: [],
      proposed: inTitle === undefined ? null : `value:${inTitle.money.unit}`,
      because: inTitle === undefined ? null : `It is in ${quoted(inTitle.text)}.`,
    });
  }

  protected takeCurrency(text: string, codes: readonly string[], likely: string | null, begin: string): void {
    if (codes.length === 1) {
      this.fields.currency = { value: codes[0]! };
      return this.say('fields.currency', `${begin} ${quoted(text)}.`);
    }
    const possible = codesIn(codes, likely);
    this.ask({
      control: 'fields.currency',
      text: `Which currency is ${quoted(text)}?`,
      answers: codes.map((code) => ({ value: `value:${code}`, label: code })),
      proposed: possible.length === 1 ? `value:${possible[0]}` : null,
      because: possible.length === 1 ? `It is that of ${countryName(likely!)}.` : null,
    });
  }

  /** A currency that stands in the cells of prices. */
  protected currencyOfCells(): { text: string; codes: readonly string[] } | null {
    const cells = this.columns.filter(({ role }) => role === this.value).flatMap(({ values }) => values);
    const signs = new Set(
      cells.map((cell) => {
        const bare = bareNumber(cell);
        return hasMoney(cell) ? cell.replace(bare, '').trim() : '';
      }),
    );
    signs.delete('');
    const [sign] = signs;
    if (sign === undefined || signs.size > 1) return null;
    const codes = currencyCodesOf(sign);
    return codes.length === 0 ? null : { text: sign, codes };
  }

  protected findCurrencies(column: ValuedColumn, likely: string | null): void {
    const values = column.distinct.map((text) => [text, currencyCodesOf(text)] as const);
    if (values.every(([text, codes]) => codes.length === 1 && codes[0] === text.toUpperCase())) return;
    const open = values.filter(([, codes]) => codesIn(codes, likely).length !== 1);
    if (open.length > 0)
      this.ask({
        control: 'fields.currency.values',
        text: `Which currencies are ${open.map(([text]) => quoted(text)).join(', ')}?`,
        answers: [],
      });
    const isGuessed = values.some(([, codes]) => codes.length > 1);
    this.fields.currency!.values = Object.fromEntries(
      values.map(([text, codes]) => [
        text,
        codesIn(codes, likely).length === 1 ? codesIn(codes, likely)[0]! : '',
      ]),
    );
    if (open.length === 0 && isGuessed)
      this.confirm(
        'currencies',
        `Currencies are read as ${values.map(([text, codes]) => `${text} = ${codesIn(codes, likely)[0]}`).join(', ')}.`,
      );
  }

  /** Units that stand in parentheses at the end of the names of products. */
  protected unitsOfNames(): boolean {
    const column = this.of('commodity');
    if (column === undefined) return false;
    const units = column.distinct.map(
      (name) => [name, /[([]\s*([^()[\]]+)\s*[)\]]\s*$/.exec(name)?.[1]?.trim() ?? ''] as const,
    );
    if (!units.every(([, unit]) => unit !== '' && isUnit(unit.replace(/^(?:per|par|por)\s+/i, ''))))
      return false;
    this.fields.measure_unit = { column: column.ref, values: Object.fromEntries(units) };
    this.say('fields.measure_unit', `It stands in the names of products: ${quoted(column.distinct[0]!)}.`);
    return true;
  }

  protected askForKeys(): void {
    for (const field of KEYS) {
      if (this.has(field) || this.isAsked(field)) continue;
      const columns = this.free().filter(({ isNumeric }) => !isNumeric);
      const price = this.of(this.value);
      const header =
        this.unpivoted.length === 0 &&
        field === 'commodity' &&
        price !== undefined &&
        !isPriceHeader(price.header)
          ? price.header
          : null;
      const money = header === null ? null : moneyOfHeader(header);
      const name =
        header === null ? null : money === null ? header : money.begin.replace(/\s*[([,/–-]?\s*$/, '');
      const words = FIELD_NAMES[field]!;
      this.ask({
        control: `fields.${field}`,
        text:
          columns.length === 0
            ? `No column has the ${words}: of which ${words} are the prices?`
            : `Which column has the ${words}, or of which one are all prices?`,
        answers: columns.map(columnAnswer),
        proposed: name
          ? `value:${name}`
          : columns.length === 1 && this.restOfKeys(field)
            ? `column:${columns[0]!.index + 1}`
            : null,
        because: name
          ? `The column is called ${quoted(header!)}.`
          : columns.length === 1 && this.restOfKeys(field)
            ? 'It is the only column of texts left.'
            : null,
      });
    }
    for (const field of ['price_value', 'date'] as const)
      if (!this.has(field) && !this.isAsked(field) && this.unpivot === undefined && field === 'price_value')
        this.ask({
          control: `fields.${this.value}`,
          text: `Which column has the ${this.noun}?`,
          answers: this.columns.map(columnAnswer),
        });
  }

  protected restOfKeys = (field: string) => KEYS.every((key) => key === field || this.has(key));

  protected findPeriodicity(): void {
    const column = this.of('periodicity');
    if (column !== undefined) {
      const values = column.distinct.map((text) => [text, periodOfWord(text)] as const);
      if (values.some(([text, name]) => text !== name))
        this.fields.periodicity!.values = Object.fromEntries(values);
      return;
    }
    if (this.isAsked('date') && this.fields.date === undefined) return this.askForPeriodicity(null, null);
    const format = this.fields.date?.format;
    const hasMonths =
      this.has('month') || (format !== undefined && !/%[dVj]/.test(format) && format !== 'excel');
    const days = hasMonths ? [] : this.daysOfDates();
    if (hasMonths) {
      this.fields.periodicity = { value: 'monthly' };
      return this.say('fields.periodicity', 'The dates are months without days.');
    }
    if (format?.includes('%V')) {
      this.fields.periodicity = { value: 'weekly' };
      return this.say('fields.periodicity', 'The dates are weeks.');
    }
    const said = [...this.context, this.sample.fileName.replaceAll('_', ' '), this.sample.sheetName ?? '']
      .flatMap((text) => foldWords(text).split(' '))
      .map(periodOfWord)
      .find((word) => ['daily', 'weekly', 'monthly'].includes(word));
    this.askForPeriodicity(
      said ?? periodOfDays(days),
      said === undefined ? 'So the dates lie apart.' : 'The title or the file says so.',
    );
  }

  protected daysOfDates(): string[] {
    const format = this.fields.date?.format;
    const column = this.of('date');
    const texts = column?.distinct ?? this.levels.find(({ kind }) => kind === 'date')?.names ?? [];
    if (format === 'excel') return texts.map(serialDay);
    const found = findDates(texts, this.languages);
    return [...(found?.patterns[0]?.readings.values() ?? [])];
  }

  protected askForPeriodicity(proposed: string | null, because: string | null): void {
    this.ask({
      control: 'fields.periodicity',
      text: 'How often is there a price: daily, weekly or monthly?',
      answers: ['daily', 'weekly', 'monthly'].map((value) => ({ value: `value:${value}`, label: value })),
      proposed: proposed === null ? null : `value:${proposed}`,
      because: proposed === null ? null : because,
    });
  }

  /** The columns of prices, also those that are asked about. */
  protected priceColumns(): ValuedColumn[] {
    const taken = this.columns.filter(({ role }) => role === this.value);
    if (taken.length > 0) return taken;
    const asked = this.questions.find(({ control }) => control === `fields.${this.value}`)?.answers ?? [];
    return this.columns.filter(({ index }) => asked.some(({ value }) => value === `column:${index + 1}`));
  }

  /** The decimal sign, what stands between thousands, and marks for missing values. */
  protected findNumbers(): void {
    const columns = this.priceColumns();
    const cells = [...new Set(columns.flatMap(({ values }) => values))];
    const texts = cells.map(bareNumber);
    const price = (this.fields[this.value] ??= {});
    if (cells.some(hasMoney)) {
      price.bareNumber = false;
      this.say(
        `fields.${this.value}.bareNumber`,
        `Signs of money stand with the numbers: ${quoted(cells.find(hasMoney)!)}.`,
      );
    }
    const numbers = texts.filter((text) => decimalEvidence(text) !== 'other');
    const shown = { comma: 0, point: 0, either: 0 };
    let example: string | null = null;
    for (const text of numbers) {
      const evidence = decimalEvidence(text);
      if (evidence === 'comma' || evidence === 'point' || evidence === 'either') {
        shown[evidence]++;
        if (evidence === 'either') example ??= text;
      }
    }
    const hasBlanks = numbers.some((text) => /\d[\s\u00a0\u2007\u2009\u202f]\d/u.test(text));
    const hasQuotes = numbers.some((text) => /\d['’]\d/.test(text));
    const control = `fields.${this.value}.decimalChar`;
    const set = (decimal: 'comma' | 'point') => {
      if (cells.some((cell) => cell.includes(ARABIC_DECIMAL) || cell.includes(ARABIC_GROUP))) {
        price.decimalChar = ARABIC_DECIMAL;
        if (cells.some((cell) => cell.includes(ARABIC_GROUP))) price.groupChar = ARABIC_GROUP;
        return;
      }
      if (decimal === 'comma') price.decimalChar = ',';
      const other = decimal === 'comma' ? '.' : ',';
      const isGrouped = numbers.some((text) => text.includes(other));
      if (hasBlanks) price.groupChar = ' ';
      else if (hasQuotes) price.groupChar = numbers.some((text) => text.includes('’')) ? '’' : "'";
      else if (isGrouped) price.groupChar = other;
    };
    const unreadable = columns.flatMap(({ values }) => values).filter((text) => !isNumber(text));
    if (unreadable.length > 0)
      this.say(
        'missingValues',
        `No numbers: ${[...new Set(unreadable)].slice(0, 4).map(quoted).join(', ')}. Such rows are rejected, unless they are marks for missing values.`,
      );
    if (shown.comma > 0 && shown.point > 0)
      return this.askForDecimal(
        `Some numbers have a decimal comma, others a decimal point: ${quoted(numbers.find((text) => decimalEvidence(text) === 'comma')!)}, ${quoted(numbers.find((text) => decimalEvidence(text) === 'point')!)}. Which sign is the decimal one? Others are rejected.`,
        set,
        price,
      );
    if (shown.comma > 0) {
      set('comma');
      return this.say(
        control,
        `Decimal comma: ${shown.comma} values such as ${quoted(numbers.find((text) => decimalEvidence(text) === 'comma')!)}.`,
      );
    }
    if (shown.point > 0) {
      set('point');
      return this.say(
        control,
        `Decimal point: ${shown.point} values such as ${quoted(numbers.find((text) => decimalEvidence(text) === 'point')!)}.`,
      );
    }
    if (shown.either > 0) {
      const thousands = example!.replace(/[.,]/, '');
      return this.askForDecimal(
        `No number shows which sign is the decimal one: is ${quoted(example!)} ${thousands} or ${example!.replace(',', '.')}?`,
        set,
        price,
      );
    }
    if (hasBlanks || hasQuotes) set('point');
    this.say(control, 'The numbers are whole.');
  }

  protected askForDecimal(
    text: string,
    set: (decimal: 'comma' | 'point') => void,
    price: { groupChar?: string },
  ): void {
    set('point');
    delete price.groupChar;
    this.ask({
      control: `fields.${this.value}.decimalChar`,
      text,
      answers: [
        { value: '.', label: 'The point: 1,250.50' },
        { value: ',', label: 'The comma: 1.250,50' },
      ],
    });
  }

  /** Rows that are of one series and date, but have different prices: something is not read. */
  protected checkDuplicates(): void {
    const keys = this.columns.filter(
      ({ role }) => role !== null && role !== this.value && role !== 'comment' && role !== 'source',
    );
    const prices = this.priceColumns();
    const seen = new Map<string, number>();
    const above = new Map<number, string>();
    const differing = new Set<ValuedColumn>();
    let example: [number, number] | null = null;
    const others = this.columns.filter(
      (column) => column.role === null && !column.isNumeric && column.values.length > 0,
    );
    for (const [at, row] of this.rows.entries()) {
      if (!this.hasValue(at)) continue;
      const key = keys
        .map(({ index, cells, role }) => {
          const cell = cells[at]!;
          if (cell !== '' || this.fields[role!]?.fillDown !== true) {
            above.set(index, cell);
            return cell;
          }
          return above.get(index) ?? '';
        })
        .join('\n');
      const before = seen.get(key);
      if (before === undefined) {
        seen.set(key, at);
        continue;
      }
      if (
        prices.every(({ cells }) => cells[at] === cells[before] || cells[at] === '' || cells[before] === '')
      )
        continue;
      example ??= [this.rows[before]!.number, row.number];
      for (const column of others) if (column.cells[at] !== column.cells[before]) differing.add(column);
    }
    if (example === null) return;
    const [one, other] = example;
    const asked = this.questions.filter(({ answers }) =>
      answers.some(({ value }) => value.startsWith('column:')),
    );
    // Once these are answered, their columns tell the rows apart.
    const open = [...differing].filter(
      (column) =>
        !asked.some(({ answers }) => answers.some(({ value }) => value === `column:${column.index + 1}`)),
    );
    if (open.length === 0 && differing.size > 0) return;
    const variety = [...differing].filter(({ header }) =>
      ['variety', 'quality'].includes(fieldOfHeader(header) ?? ''),
    );
    const commodity = this.of('commodity');
    const begin = `Rows ${one} and ${other} have different ${this.noun}s of one series and date`;
    if (commodity !== undefined && differing.size > 0) {
      const joined = variety.length > 0 ? variety : [...differing];
      return this.ask({
        control: 'fields.commodity',
        text: `${begin}: they differ in ${[...differing].map(nameOf).join(', ')}, which is not read. Is that a part of the product?`,
        answers: [
          {
            value: `join:${[commodity, ...joined].map(({ index }) => index + 1).join(',')}`,
            label: `Yes: the product is ${[commodity, ...joined].map(({ header }) => header).join(' and ')}`,
          },
          { value: `column:${commodity.index + 1}`, label: `No: the product is ${commodity.header} alone` },
        ],
        proposed:
          variety.length > 0
            ? `join:${[commodity, ...variety].map(({ index }) => index + 1).join(',')}`
            : null,
        because: variety.length > 0 ? `The column is called ${quoted(variety[0]!.header)}.` : null,
      });
    }
    const apart =
      differing.size === 0
        ? ', and no column tells them apart: only one of them is stored.'
        : `: they differ in ${[...differing].map(nameOf).join(', ')}, which is not read, and only one of them is stored.`;
    this.confirm('duplicates', `${begin}${apart}`);
  }

  /** Where the table ends, and what is below it. */
  protected findEnd(): void {
    const { notes, second } = this.layout;
    const row = second ?? notes[0];
    if (row === undefined) return;
    const column = row.cells.findIndex((cell) => cell.trim() !== '');
    const text = row.cells[column]!.trim();
    const ref = this.columns[column]?.ref ?? column + 1;
    const begin = /^[^:：]{1,30}[:：]/.exec(text)?.[0] ?? text.slice(0, MAX_END);
    const isUnique = !this.columns[column]?.values.some((value) => value.startsWith(begin));
    if (!isUnique) {
      this.confirm(
        'end',
        `Below the table is ${quoted(text)} in row ${row.number}, with which rows of it begin, too.`,
      );
      return;
    }
    this.end =
      begin === text && second !== null ? { column: ref, equals: text } : { column: ref, startsWith: begin };
    this.say('end', `The table ends above row ${row.number}: ${quoted(text)}.`);
    if (second !== null)
      this.confirm(
        'second',
        `Another table begins in row ${row.number}, with ${quoted(text)}. Only the first one is read.`,
      );
    else if (!isNote(text) && notes.length > 3)
      this.confirm('end', `What is below row ${row.number} is not read: ${quoted(text)}.`);
  }

  protected askForFile(): void {
    const { sheetName, sheetNames, isDecoded } = this.sample;
    if (sheetName !== null && sheetNames.length > 1)
      this.ask({
        control: 'dialect.sheetName',
        text: 'Which sheet is to be read?',
        answers: sheetNames.map((name) => ({ value: name, label: name })),
        proposed: sheetName,
        because: 'It is the first one with a table.',
      });
    if (!isDecoded && this.encoding === undefined)
      this.ask({
        control: 'encoding',
        text: 'The file is not in UTF-8: in which encoding is it?',
        answers: ['windows-1252', 'windows-1251', 'windows-1256', 'windows-1250', 'iso-8859-15'].map(
          (value) => ({ value, label: value }),
        ),
      });
  }

  protected result(): Proposal {
    const { delimiter, sheetName, fileName } = this.sample;
    const { header, numbered } = this.layout;
    const numbers = header.map(({ number }) => number);
    const marks = [...this.missing].sort();
    if (marks.length > 0)
      this.say('missingValues', `Marks for missing values: ${marks.map(quoted).join(', ')}.`);
    if (delimiter !== null && delimiter !== ',')
      this.say(
        'dialect.delimiter',
        `Columns are separated by ${DELIMITER_WORDS[delimiter] ?? quoted(delimiter)}.`,
      );
    const usesMonth = this.has('month');
    if (!usesMonth) delete this.fields.year;
    const mapping: Mapping = {
      name: slugOf(fileName),
      table: this.table,
      ...(this.encoding === undefined ? {} : { encoding: this.encoding }),
      ...(marks.length > 0 ? { missingValues: ['', ...marks] } : {}),
      dialect: {
        ...(delimiter === null || delimiter === ',' ? {} : { delimiter }),
        ...(header.length === 0
          ? { header: false }
          : numbers.length === 1 && numbers[0] === 1
            ? {}
            : { headerRows: numbers }),
        ...(this.join === ' ' ? {} : { headerJoin: this.join }),
        ...(numbered.length === 0 ? {} : { commentRows: numbered.map(({ number }) => number) }),
        ...(sheetName === null ? {} : { sheetName }),
      },
      ...(this.skip.length === 0 ? {} : { skip: this.skip }),
      ...(this.end === undefined ? {} : { end: this.end }),
      ...(this.unpivot === undefined ? {} : { unpivot: this.unpivot }),
      fields: this.fields,
    };
    const columns = this.columns.map((column): ProposedColumn => ({
      ref: column.ref,
      header: column.header,
      examples: column.distinct.slice(0, 3),
      isUnpivoted: this.unpivoted.includes(column),
    }));
    return { mapping, evidence: this.evidence, questions: this.questions, columns };
  }
}

/** Calendars whose months have names of their own, with the languages of these. */
const MONTHS_OF_CALENDARS: readonly (readonly ['ethiopic' | 'persian', readonly string[]])[] = [
  ['ethiopic', ['en', 'am']],
  ['persian', ['en', 'fa']],
];

const YEARS = 'The table has years without months, which cannot be stored: only';
const QUARTERS = 'The columns are quarters of a year, which cannot be stored: only';

/** The fields of levels that are no names. */
const FIELD_OF_LEVEL: Readonly<Partial<Record<Level['kind'], string>>> = {
  date: 'date',
  month: 'month',
  year: 'year',
  type: 'price_type',
};

const MIN_NUMERIC = 0.6;
/** The part of the distinct values of a column that are those of a field. */
const MIN_SHARE = 0.9;
/** Years of two digits that are further apart may be read wrong. */
const MAX_YEARS = 60;
/** Columns that a sentence names. */
const MAX_UNREAD = 8;
/** Characters of a note by which the end of a table is found. */
const MAX_END = 30;

const DELIMITER_WORDS: Readonly<Record<string, string>> = {
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'vertical bars',
};

const CONTENTS: readonly (readonly [field: string, is: (text: string) => boolean, words: string])[] = [
  // Codes of two letters are units, too: kg.
  ['iso3_country_code', (text) => text.length > 2 && countryOf(text) !== null, 'countries'],
  ['currency', (text) => /^[A-Z]{3}$/.test(text) && currencyCodesOf(text).length > 0, 'currencies'],
  ['measure_unit', (text) => isUnit(text), 'units'],
  ['price_type', (text) => priceTypesIn(text).length === 1, 'types of prices'],
];

function countryOf(text: string): string | null {
  const code = knownCountryCode(text.trim());
  if (isCountryCode(code)) return code;
  return iso3OfIso2(code) ?? iso3OfName(text) ?? iso3OfForeignName(text);
}

const MAX_WORDS = 5;

/** The countries that a text names, in words. */
function countriesIn(text: string): string[] {
  const words = text
    .replace(/\.[a-z]{2,5}$/i, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{M}'’]+/u)
    .filter((word) => word !== '');
  const found = new Set<string>();
  for (let from = 0; from < words.length; from++)
    for (let to = Math.min(words.length, from + MAX_WORDS); to > from; to--) {
      const name = words.slice(from, to).join(' ');
      const iso3 =
        iso3OfName(name) ??
        iso3OfForeignName(name) ??
        (/^[A-Z]{3}$/.test(name) && isCountryCode(name) ? name : null);
      if (iso3 === null) continue;
      found.add(iso3);
      from = to - 1;
      break;
    }
  return [...found];
}

/** Words after those of totals and averages. */
const AFTER_TOTAL =
  /^(?:general|generale|national|nationale|nacional|mensuel|mensuelle|mensual|annuel|annuelle|anual|du|des|de|del|do|da|of|the|all|par|por|global|globale|ville|pays|country|prix|price|precio|preco|simple|العام|الوطني|по|всего|цена|общее)\b/u;

/** The word of a total or an average with which the text of a row begins; null for other texts. */
function totalOf(text: string): string | null {
  const word = totalWordOf(text);
  if (word === null) return null;
  const rest = foldWords(text).slice(word.length).trim();
  return rest === '' || AFTER_TOTAL.test(rest) ? word : null;
}

const PRICE_WORD =
  /(?:^| )(?:price|prices|prix|precio|precios|preco|precos|cena|valor|value|valeur|cost|cout|costo|cotacion|cotacao|tarif|rate|цена|цены|стоимость|سعر|السعر|اسعار|الاسعار)(?: |$)/u;

/** Whether a header is that of prices, or of money. */
const isPriceHeader = (header: string): boolean =>
  PRICE_WORD.test(foldWords(header)) || moneyOfHeader(header)?.begin === '';

/** The average, or what is most usual, among statistics. */
function likelyAnswer(answers: readonly Answer[]): Partial<Question> {
  const likely = answers.find(({ label }) => ['average', 'modal'].includes(statisticOf(label) ?? ''));
  return likely === undefined ? {} : { proposed: likely.value, because: 'It lies between the others.' };
}

export const quoted = (text: string): string =>
  JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const nameOf = ({ header, index }: Pick<ValuedColumn, 'header' | 'index'>): string =>
  header === '' ? `column ${index + 1}` : quoted(header);

const columnOf = (column: Pick<ValuedColumn, 'header' | 'index'>): string =>
  column.header === '' ? `Column ${column.index + 1}` : `The column ${quoted(column.header)}`;

export const columnAnswer = (column: ValuedColumn): Answer => ({
  value: `column:${column.index + 1}`,
  label: `${columnOf(column)}: ${column.distinct.slice(0, 3).join(', ')}`,
});

/** `row 3`, `rows 3 and 4`, `rows 3, 9, 15, …`. */
function rowsText(rows: readonly SampleRow[]): string {
  const numbers = rows.map(({ number }) => number);
  if (numbers.length === 1) return `row ${numbers[0]}`;
  if (numbers.length > 4) return `rows ${numbers.slice(0, 3).join(', ')}, …`;
  return `rows ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
}

/** A pattern of dates in words. */
function patternWords(pattern: string): string {
  if (pattern.includes('%V')) return 'Weeks of ISO 8601';
  const order = [...pattern.matchAll(/%([YyGmbBd])/g)].map(([, sign]) =>
    sign!.toLowerCase().replace('b', 'm'),
  );
  if (!order.includes('d')) return order[0] === 'm' ? 'Month, year' : 'Year, month';
  return { d: 'Day first', m: 'Month first', y: 'Year first' }[order[0]!] ?? pattern;
}

/** The date of a day as workbooks number it, from 1900. */
const serialDay = (text: string): string => isoFromDay(Math.floor(Number(text)) + DAY_OF_1899);
const DAY_OF_1899 = dayOf(1899, 12, 30);

/** How often there is a price by the days of a table; null where they do not show it. */
export function periodOfDays(days: readonly string[]): string | null {
  const sorted = [...new Set(days)].sort().map((day) => Date.parse(day) / 86_400_000);
  const steps = sorted.slice(1).map((day, at) => day - sorted[at]!);
  if (steps.length === 0) return null;
  const median = steps.sort((one, other) => one - other)[steps.length >> 1]!;
  if (median >= 27 && median <= 32) return 'monthly';
  if (median >= 5 && median <= 9) return 'weekly';
  return median <= 3 ? 'daily' : null;
}

/** The name of a mapping for a file. */
function slugOf(fileName: string): string {
  const words = foldWords(fileName.replace(/(?:\.\w{2,5})+$/, ''))
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 50)
    .replace(/^[^a-z]+/, '')
    .replace(/-+$/, '');
  return words === '' ? 'prices-file' : words === 'prices' ? 'prices-file' : words;
}
