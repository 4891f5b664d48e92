import { askForFile, checkDuplicates, checkUnread } from '../checks.js';
import { assignByHeader, fits } from '../columns/column-roles.js';
import { fillDown } from '../columns/filled-cells.js';
import { findCountry, findSource } from '../columns/series-values.js';
import { isPriceHeader } from '../columns/price-words.js';
import { findWide, levelsOf, takePrice } from '../columns/wide-columns.js';
import { fieldOfHeader } from '../columns/words.js';
import { findDate } from '../dates/date-columns.js';
import { isYear, monthsOfName, patternReadings } from '../dates/date-patterns.js';
import { Draft, NoProposal, type ValuedColumn } from '../draft.js';
import type { Proposal, Question } from '../proposal.js';
import { columnAnswer, columnSubject, quoted } from '../sentences.js';
import { findEnd, leaveOutRows, readHeader } from '../table/left-out-rows.js';
import { isUnit, type Money, moneyOf, moneyOfHeader, moneyOfTitle } from '../values/money.js';
import { findNumbers } from '../values/numbers.js';
import { basePeriodIn, hasBeverages, isOfChanges, itemIn, itemOf, speaksOfIndices } from './index-words.js';

/** Fields of prices that tables of indices have, too: they are no part of an index. */
const OF_PRICES = ['market', 'admin_unit', 'admin_unit2', 'latitude', 'longitude', 'price_type', 'currency'];

/** Whether a table can be one of indices. */
interface IndexSigns {
  /** A text that speaks of them; null without one. */
  readonly spoken: string | null;
  /** Whether nothing else says that it has prices. */
  readonly isLikely: boolean;
  /** Whether nothing in it says what its numbers are. */
  readonly isBare: boolean;
}

/** Proposes a mapping for a table of indices of consumer prices. */
export class IndexProposer extends Draft {
  override readonly table: string = 'cpi';
  override readonly value: string = 'value';
  override readonly noun: string = 'index';
  override readonly nouns: string = 'indices';
  override readonly storable: string = 'monthly indices';

  /** Whether the table can be one of indices. To be asked before anything is proposed. */
  signs(): IndexSigns {
    this.readColumns();
    const filled = this.columns.filter(({ values }) => values.length > 0);
    const texts = filled.filter(({ isNumeric, distinct }) => !isNumeric && distinct.length <= MAX_TEXTS);
    // A letter alone is no currency: `Group F`.
    const isMoney = (money: Money | null) => /\p{Sc}|../u.test(money?.currency?.text ?? '');
    const numeric = filled.filter((column) => column.isNumeric && !isAside(column) && !this.isDate(column));
    const hasPrices =
      numeric.some(({ parts }) => parts.some((part) => isMoney(moneyOfHeader(part)?.money ?? null))) ||
      texts.some(
        ({ header, distinct }) =>
          fieldOfHeader(header) === 'measure_unit' && distinct.some((text) => isMoney(moneyOf(text))),
      ) ||
      filled.some((column) =>
        OF_PRICES.some((field) => field === fieldOfHeader(column.header) && fits(this, column, field)),
      ) ||
      filled.some(({ header, values }) => fieldOfHeader(header) === 'measure_unit' && values.some(isUnit)) ||
      texts.some(
        ({ header, distinct }) =>
          fieldOfHeader(header) === 'commodity' && distinct.every((text) => itemOf(text) === null),
      );
    // A table of prices may have their changes, too.
    const inTable = hasPrices
      ? []
      : [...filled.flatMap(({ parts }) => parts), ...texts.flatMap(({ distinct }) => distinct)];
    const spoken = [...this.said(), ...inTable].find(speaksOfIndices) ?? null;
    // Some columns of indices among those of goods.
    const isMixed =
      !this.said().some(speaksOfIndices) &&
      numeric.filter(
        ({ parts }) =>
          !isUnnamed(parts.at(-1) ?? '') && !parts.some((part) => isOfChanges(part) || itemOf(part) !== null),
      ).length >
        numeric.length / 2 &&
      numeric.length > 1;
    const isDated = (column: ValuedColumn) =>
      ['date', 'year', 'month'].includes(fieldOfHeader(column.header) ?? '') || this.hasDates(column);
    const isBare =
      texts.every(isDated) &&
      filled.every(
        (column) => !column.isNumeric || isDated(column) || isUnnamed(column.parts.at(-1) ?? ''),
      ) &&
      !this.context.some((text) => isPriceHeader(text) || moneyOfTitle(text) !== null);
    // Notes below a table of prices may speak of the index that these are collected for.
    const titles = this.layout.titles.flatMap(({ cells }) => cells);
    const isTitled = titles.some(isPriceHeader) && !titles.some(speaksOfIndices);
    return { spoken, isLikely: spoken !== null && !hasPrices && !isMixed && !isTitled, isBare };
  }

  propose(table: Question | null): Proposal {
    if (table !== null) this.ask(table);
    readHeader(this);
    leaveOutRows(this);
    this.readColumns();
    assignByHeader(this);
    for (const column of this.columns)
      if (column.role !== null && !KEPT.includes(column.role)) this.release(column, column.role);
    this.questions.splice(
      0,
      this.questions.length,
      ...this.questions.filter(({ control }) => isKept(control)),
    );
    const item = this.itemColumn();
    this.takeValues(item);
    findDate(this);
    if (this.fields.date?.format?.includes('%V'))
      throw new NoProposal('The dates are weeks: indices are monthly.');
    if (item !== null) this.takeItems(item);
    fillDown(this);
    this.findBase();
    findCountry(this);
    findSource(this);
    findNumbers(this);
    checkDuplicates(this);
    findEnd(this);
    askForFile(this);
    checkUnread(this);
    this.confirmChanges();
    this.confirmBase();
    return this.result();
  }

  private said = (): string[] => [
    ...this.context,
    this.sample.fileName.replaceAll('_', ' ').replaceAll('-', ' '),
    this.sample.sheetName ?? '',
  ];

  /** The column that says of what each row is an index. */
  private itemColumn(): ValuedColumn | null {
    const [found] = this.free().filter(
      (column) =>
        !column.isNumeric &&
        !this.hasDates(column) &&
        fieldOfHeader(column.header) !== 'measure_unit' &&
        column.distinct.some((text) => itemOf(text) !== null && basePeriodIn(text) !== text),
    );
    return found ?? null;
  }

  /** Takes the columns of indices: of months, of items, or a single one. */
  private takeValues(item: ValuedColumn | null): void {
    const numeric = this.free().filter(
      (column) => column.isNumeric && !isAside(column) && !this.isDate(column),
    );
    const columns = numeric.filter(({ parts }) => {
      const text = parts.at(-1) ?? '';
      return !isOfChanges(text) || itemOf(text) !== null;
    });
    if (columns.length === 0)
      throw new NoProposal(
        numeric.length === 0
          ? 'No column of the table has numbers that can be indices.'
          : `The columns of numbers have changes, which are no indices: ${shown(numeric)}.`,
      );
    // Columns without names may stand beside months.
    const dated = columns.filter(({ parts }) => parts.at(-1) !== '' && isUnnamed(parts.at(-1)!));
    const levels = levelsOf(this, dated.length > columns.length / 2 ? dated : columns);
    if (levels.some(({ kind }) => ['date', 'month', 'year', 'quarter', 'undated'].includes(kind))) {
      if (item === null) this.askForItem(null);
      return findWide(
        this,
        columns,
        columns,
        numeric.filter((column) => !columns.includes(column)),
      );
    }
    const named = columns.flatMap((column) => {
      const of = itemOf(column.parts.at(-1) ?? '') ?? itemOf(column.header);
      return of === null ? [] : [{ column, of }];
    });
    if (item === null && named.length > 1 && new Set(named.map(({ of }) => of)).size === named.length) {
      this.unpivoted = named.map(({ column }) => column);
      for (const { column } of named) column.role = this.value;
      this.unpivot = { columns: '{item}', value: this.value };
      this.fields.item = { values: Object.fromEntries(named.map(({ column, of }) => [column.header, of])) };
      return this.say('unpivot.columns', `${named.length} columns become rows: ${shown(this.unpivoted)}.`);
    }
    const [only] = named.length === 1 ? [named[0]!.column] : columns;
    if (columns.length > 1 && (named.length !== 1 || item !== null)) {
      this.ask({
        control: `fields.${this.value}`,
        text: `Which of the columns is the index: ${shown(columns)}?`,
        answers: columns.map(columnAnswer),
        ...(named.length === 1
          ? {
              proposed: columnAnswer(named[0]!.column).value,
              because: `The column is called ${quoted(named[0]!.column.header)}.`,
            }
          : {}),
      });
    } else takePrice(this, only!, `${columnSubject(only!)} is read.`);
    if (item === null) this.askForItem(named.length === 1 ? named[0]!.of : null);
  }

  private askForItem(inHeader: string | null): void {
    const said = this.said().find((text) => speaksOfIndices(text));
    const likely = inHeader ?? (said === undefined ? null : itemIn(said));
    this.ask({
      control: 'fields.item',
      text: 'Of what are the indices: of all items, or of food?',
      answers: [
        { value: 'value:general', label: 'All items' },
        { value: 'value:food', label: 'Food' },
      ],
      ...(likely === null
        ? {}
        : {
            proposed: `value:${likely}`,
            because: inHeader === null ? `It is in ${quoted(said!)}.` : 'The header says so.',
          }),
    });
  }

  /** Takes the rows of all items and of food; those of other items are left out. */
  private takeItems(column: ValuedColumn): void {
    const found = column.distinct.flatMap((text): [string, 'general' | 'food'][] => {
      const of = itemOf(text);
      return of === null ? [] : [[text, of]];
    });
    // Food is the division of that name, with what it has of beverages, and no part of it.
    const broad = found.filter(([text, of]) => of === 'food' && hasBeverages(text));
    const known =
      broad.length === 1 ? found.filter(([text, of]) => of !== 'food' || text === broad[0]![0]) : found;
    const isClear = new Set(known.map(([, of]) => of)).size === known.length;
    if (!isClear)
      throw new NoProposal(
        `${columnSubject(column)} has several texts for one index: ${known.map(([text]) => quoted(text)).join(', ')}.`,
      );
    this.assign(
      column,
      'item',
      `${columnSubject(column)} has ${known.map(([text, of]) => `${quoted(text)} (${of})`).join(', ')}.`,
    );
    this.fields.item!.values = Object.fromEntries(known);
    const others = column.distinct.filter((text) => !known.some(([one]) => one === text));
    for (const text of others.slice(0, MAX_SKIPPED)) this.skip.push({ column: column.ref, equals: text });
    if (others.length > 0)
      this.confirm(
        'items',
        `Rows of other items are left out: ${others.slice(0, MAX_NAMED).map(quoted).join(', ')}${others.length > MAX_NAMED ? ', …' : ''}.`,
      );
  }

  private findBase(): void {
    const texts = this.columns
      .filter(({ isNumeric }) => !isNumeric)
      .flatMap(({ distinct }) => distinct.slice(0, MAX_TEXTS));
    const said = [...this.said(), ...this.columns.flatMap(({ parts }) => parts), ...texts];
    const bases = [...new Set(said.map(basePeriodIn).filter((base) => base !== null))];
    const [base] = bases;
    this.ask({
      control: 'fields.base_period',
      text: 'In which period is the index 100?',
      answers: [],
      proposed: bases.length === 1 ? `value:${base}` : null,
      because:
        bases.length === 1 ? `It is in ${quoted(said.find((text) => basePeriodIn(text) === base)!)}.` : null,
    });
  }

  /** A title that speaks of changes may be that of the values. */
  private confirmChanges(): void {
    const found = this.said().find(
      (text) => isOfChanges(text) && /%|percent|change|inflation|variation|taux/i.test(text),
    );
    if (found !== undefined)
      this.confirm(
        'indices',
        `The file speaks of ${quoted(found)}: the values are read as indices, not as changes in percent.`,
      );
  }

  /** Offices publish changes as indices, too, with the month or the year before as 100. */
  private confirmBase(): void {
    const numbers = this.priceColumns()
      .flatMap(({ values }) => values.map((text) => Number(text.replace(',', '.'))))
      .filter((number) => number > 0)
      .sort((one, other) => one - other);
    const [low, middle, high] = [0.02, 0.5, 0.98].map((part) => numbers[Math.floor(numbers.length * part)]!);
    if (numbers.length < MIN_NEAR || low! < 85 || high! > 118 || middle! < 98 || middle! > 104) return;
    this.confirm(
      'indices',
      'Nearly all values lie between 85 and 118: they must be no changes, in which the month or the year before is 100.',
    );
  }

  private isDate = (column: ValuedColumn): boolean =>
    ['date', 'year', 'month'].includes(fieldOfHeader(column.header) ?? '') ||
    (column.distinct.length > 1 && column.values.every(isYear));
}

/** Values of which a level would have moved. */
const MIN_NEAR = 60;

const KEPT = ['iso3_country_code', 'year', 'month', 'source'];
const isKept = (control: string): boolean =>
  !control.startsWith('fields.') || KEPT.some((field) => control.startsWith(`fields.${field}`));

/** Columns of numbers beside indices: weights, numbers of rows and codes. */
const isAside = ({ header }: ValuedColumn): boolean =>
  WEIGHTS.test(header) || fieldOfHeader(header) === 'number' || /^(?:code|coicop|id|no)\.?$/i.test(header);
const WEIGHTS =
  /(?:^|[\s_(])(?:weights?|poids|pond[eé]rations?|ponderaci[oó]n|ponderadores|вес)(?:$|[\s_.)%])/iu;

/** Whether a header does not say what its numbers are. */
const isUnnamed = (header: string): boolean =>
  /^(?:obs[ _]?)?(?:value|valeur|valor|значение)?$/i.test(header) ||
  monthsOfName(header).size > 0 ||
  patternReadings(header).length > 0;

const shown = (columns: readonly ValuedColumn[]): string =>
  columns
    .slice(0, MAX_NAMED)
    .map(({ header }) => quoted(header))
    .join(', ') + (columns.length > MAX_NAMED ? ', …' : '');

/** Texts of a column that are looked at, rows of the form for those left out, and names shown. */
const MAX_TEXTS = 60;
const MAX_SKIPPED = 200;
const MAX_NAMED = 4;
