import { findDates, isYear, monthsOfName } from '../dates/date-patterns.js';
import { type Draft, NoProposal, type ValuedColumn } from '../draft.js';
import type { Answer, Question } from '../proposal.js';
import { columnAnswer, columnSubject, columnText, quoted } from '../sentences.js';
import { askForClosing } from './closing-prices.js';
import { KEYS } from './column-roles.js';
import { isLongPeriod } from '../../long-periods.js';
import { isOfChanges } from '../indices/index-words.js';
import { splitHeaders } from './joined-headers.js';
import { type Level, levelOf, moneyShape } from './levels.js';
import { isPriceAlone, isPriceHeader } from './price-words.js';
import {
  amountOfHeader,
  fieldOfHeader,
  foldWords,
  hasStatisticWord,
  isCodeHeader,
  isStatisticAlone,
  priceTypesIn,
  statisticOf,
} from './words.js';

/** Finds the column of the price, or the columns that become rows. */
export function findShape(draft: Draft): void {
  const numeric = draft
    .free()
    .filter((column) => column.isNumeric && !isAside(column) && !isDateColumn(column));
  const priceLike = numeric.filter(({ parts }) => !parts.some(isOfChanges));
  let candidates = withoutAmounts(draft, priceLike);
  if (candidates.length === 0 && numeric.length > 0)
    throw new NoProposal(
      `The columns of numbers have changes or indices, which are no ${draft.nouns}: ${numeric.slice(0, MAX_SHOWN).map(columnText).join(', ')}.`,
    );
  if (askForClosing(draft, candidates)) return;
  if (candidates.length === 0)
    candidates = draft.free().filter(({ isNumeric, header }) => isNumeric && statisticOf(header) !== null);
  if (candidates.length === 0)
    throw new NoProposal(`No column of the table has numbers that can be ${draft.nouns}.`);
  const priced = candidates.filter(
    ({ header, parts }) => isPriceHeader(header) || isPriceHeader(parts.at(-1) ?? ''),
  );
  const plain = candidates.filter(({ header }) => !isStatisticAlone(header));
  const [only] = plain.length === 1 ? plain : candidates.length === 1 ? candidates : [];
  const exact = priced.filter(
    ({ header }) => fieldOfHeader(header) === 'price_value' && statisticOf(header) === null,
  );
  const isAmongNames = exact.length === 1 && mayBeNames(draft, candidates, exact[0]!);
  if (only === undefined && exact.length === 1 && priced.length === 1 && !isAmongNames)
    return takePrice(draft, exact[0]!, `The column is called ${quoted(exact[0]!.header)}.`);
  if (only === undefined && !isAmongNames && askAmongPrices(draft, candidates, priced, exact)) return;
  if (only !== undefined && !priced.includes(only) && isBesideStatistics(only, candidates)) {
    askForPrice(draft, candidates);
    return;
  }
  if (only !== undefined && !namesSeries(draft, only, priced.includes(only))) {
    const others = numeric.filter((one) => one !== only);
    const not =
      others.length === 0 ? '' : `, and ${others.map(({ header }) => quoted(header)).join(', ')} not`;
    return takePrice(
      draft,
      only,
      priced.includes(only)
        ? `The column ${quoted(only.header)} is read${not}.`
        : `${columnSubject(only)} is the only one of other numbers${not}.`,
    );
  }
  if (draft.layout.header.length === 0) {
    return draft.ask({
      control: `fields.${draft.value}`,
      text: `Which column has the ${draft.noun}?`,
      answers: candidates.map(columnAnswer),
    });
  }
  findWide(
    draft,
    candidates,
    plain,
    numeric.filter((column) => !candidates.includes(column)),
  );
}

/** Whether the lowest and the highest price stand beside a column that is called by no price. */
const isBesideStatistics = (only: ValuedColumn, candidates: readonly ValuedColumn[]): boolean =>
  ['minimum', 'maximum'].every((statistic) =>
    candidates.some(
      (column) =>
        column !== only && isStatisticAlone(column.header) && statisticOf(column.header) === statistic,
    ),
  );

/**
 * Whether the columns beside that of the price may be called as products are: no other column has
 * products, and nothing else is known of them.
 */
function mayBeNames(draft: Draft, candidates: readonly ValuedColumn[], price: ValuedColumn): boolean {
  const hasTexts = draft.free().some(({ isNumeric, header, distinct }) => {
    const isOfDates = isDateHeader(header) || findDates(distinct, draft.languages) !== null;
    return !isNumeric && distinct.length > 0 && !isOfDates;
  });
  if (draft.of('commodity') !== undefined || hasTexts) return false;
  const others = candidates.filter((column) => column !== price);
  const isName = ({ header }: ValuedColumn) =>
    /\p{L}/u.test(header) && fieldOfHeader(header) === null && !hasStatisticWord(header);
  return others.length >= MIN_NAMES && others.every(isName);
}

/** Columns beside that of the price that may be called as products are. */
const MIN_NAMES = 3;

/**
 * Asks which column has the price, where one is called so and says nothing else: others are no
 * names of products or markets then. @returns whether it did
 */
function askAmongPrices(
  draft: Draft,
  candidates: readonly ValuedColumn[],
  priced: readonly ValuedColumn[],
  exact: readonly ValuedColumn[],
): boolean {
  const named = candidates.filter(({ header }) => isPriceAlone(header));
  const [likely] = exact.length === 1 ? exact : named.length === 1 && priced.length === 1 ? named : [];
  if (likely === undefined || candidates.length > MAX_OFFERED) return false;
  draft.ask({
    control: `fields.${draft.value}`,
    text: `Which column has the ${draft.noun}?`,
    answers: candidates.map(columnAnswer),
    ...(priced.length > 1
      ? {}
      : { proposed: columnAnswer(likely).value, because: `The column is called ${quoted(likely.header)}.` }),
  });
  return true;
}

/** Columns that are offered as that of the price. */
const MAX_OFFERED = 12;

/** Columns without those of what is traded, and of the quantities of prices, beside others. */
function withoutAmounts(draft: Draft, columns: readonly ValuedColumn[]): ValuedColumn[] {
  const amountOf = ({ header }: ValuedColumn) => (isPriceHeader(header) ? null : amountOfHeader(header));
  const prices = columns.filter((column) => amountOf(column) === null);
  if (prices.length === 0 || prices.length === columns.length) return [...columns];
  const quantity = columns.find((column) => amountOf(column) === 'quantity');
  if (quantity !== undefined)
    draft.confirm(
      'quantity',
      `${columnSubject(quantity)} is not read: prices must not be for these quantities, such as ${quantity.distinct.slice(0, 3).join(', ')}.`,
    );
  return prices;
}

/** Whether the header of the only column of values says a date, a product or a market. */
function namesSeries(draft: Draft, { parts }: ValuedColumn, isPriced: boolean): boolean {
  if (isPriced) return false;
  return parts.some((part) => part !== '' && findDates([part], draft.languages) !== null);
}

export function takePrice(draft: Draft, column: ValuedColumn, why: string): void {
  draft.assign(column, draft.value, why);
}

/** Columns of numbers that are no prices. */
function isAside({ header, parts, distinct }: ValuedColumn): boolean {
  const field = fieldOfHeader(header) ?? fieldOfHeader(parts.at(-1) ?? '');
  if (field !== null && field !== 'price_value') return field !== 'market' && field !== 'commodity';
  if (isCodeHeader(header) && !isPriceHeader(header)) return true;
  const words = ` ${foldWords(header)} `;
  if (/ (?:id|code|no|numero|nr|n|rank|year|annee|ano) /.test(words) && !isPriceHeader(header)) return true;
  return header === '' && distinct.every((text, at) => Number(text) === at + 1);
}

const isDateHeader = (header: string): boolean =>
  ['date', 'year', 'month'].includes(fieldOfHeader(header) ?? '');

function isDateColumn(column: ValuedColumn): boolean {
  if (isDateHeader(column.header)) return true;
  return (
    column.distinct.length > 1 && column.values.every((text) => isYear(text)) && !isPriceHeader(column.header)
  );
}

/** @param aside columns of numbers that are not among them */
export function findWide(
  draft: Draft,
  all: readonly ValuedColumn[],
  plain: readonly ValuedColumn[],
  aside: readonly ValuedColumn[] = [],
): void {
  // Averages and changes beside months or names are no part of the table.
  const chosen = plain.length >= 1 && plain.length < all.length ? plain : all;
  let columns = withoutLongPeriods(draft, chosen);
  splitHeaders(draft, columns);
  const dropped = [...all.filter((column) => !columns.includes(column)), ...aside];
  const levels = levelsOf(draft, columns);
  const dated = levels.some(({ kind }) => ['date', 'month', 'year'].includes(kind));
  if (!dated && columns.length > 2) {
    const dates = columns.filter(({ parts }) =>
      parts.some((part) => findDates([part], draft.languages) !== null || monthsOfName(part).size > 0),
    );
    if (dates.length > columns.length / 2) {
      dropped.push(...columns.filter((column) => !dates.includes(column)));
      columns = dates;
    }
  }
  const alike = withOneMoney(draft, columns);
  if (alike === null) return askForPrice(draft, columns);
  dropped.push(...columns.filter((column) => !alike.includes(column)));
  draft.levels = levelsOf(draft, alike);
  draft.unpivoted = [...alike];
  confirmStatistics(draft);
  buildPattern(draft, dropped);
}

/** Columns without those of quarters and years that stand between months. */
function withoutLongPeriods(draft: Draft, columns: readonly ValuedColumn[]): readonly ValuedColumn[] {
  const isShort = (text: string) =>
    !isLongPeriod(text) && (monthsOfName(text).size > 0 || findDates([text], draft.languages) !== null);
  const rows = draft.layout.header.flatMap((_, row) =>
    columns.filter(({ parts }) => isShort(parts[row]!)).length >= columns.length / 2 ? [row] : [],
  );
  return columns.filter(({ parts }) => !rows.some((row) => isLongPeriod(parts[row]!)));
}

/** Names with a word of a statistic, which may be one of the columns beside them. */
function confirmStatistics(draft: Draft): void {
  const found = draft.unpivoted.filter(({ header }) => hasStatisticWord(header));
  if (found.length === 0 || found.length === draft.unpivoted.length) return;
  draft.confirm(
    'statistics',
    `Columns whose names have words of statistics are read as all others: ${found.slice(0, MAX_SHOWN).map(columnText).join(', ')}.`,
  );
}

/**
 * The columns of names that one pattern and one factor can read: dollars are not cents, and what
 * has a unit in its header is none of those without. Null where no two are alike.
 */
function withOneMoney(draft: Draft, columns: readonly ValuedColumn[]): readonly ValuedColumn[] | null {
  if (KEYS.every((field) => draft.of(field) !== undefined)) return columns;
  if (!levelsOf(draft, columns).some(({ kind }) => kind === 'name')) return columns;
  const groups = new Map<string, ValuedColumn[]>();
  for (const column of columns) {
    const shape = column.parts.map(moneyShape).join('\n');
    groups.set(shape, [...(groups.get(shape) ?? []), column]);
  }
  const [most = columns, ...others] = [...groups.values()].sort((one, other) => other.length - one.length);
  const left = others.flat();
  if (left.length === 0) return columns;
  if (most.length === 1 && draft.table === 'prices') return null;
  draft.confirm(
    'money',
    `The headers have money and units of different kinds. Those like ${quoted(most[0]!.header)} are read, and ` +
      `${left.slice(0, MAX_SHOWN).map(columnText).join(', ')}${left.length > MAX_SHOWN ? ', …' : ''} not: ` +
      'they need a mapping of their own.',
  );
  return most;
}

/** Columns that a sentence names. */
const MAX_SHOWN = 8;

export function levelsOf(draft: Draft, columns: readonly ValuedColumn[]): Level[] {
  return (columns[0]?.parts ?? []).map((_, row) =>
    levelOf(
      columns.map(({ parts }) => parts[row]!),
      draft.languages,
    ),
  );
}

/** Builds the pattern of the headers of columns that become rows. */
function buildPattern(draft: Draft, dropped: readonly ValuedColumn[]): void {
  const used = draft.levels.filter((level) => level.kind !== 'constant' || level.pattern !== '');
  const named = used.filter(({ kind }) => kind === 'name');
  // What has a unit of its own is no market and no word of prices.
  const hasUnits = used.some(({ units, money }) => units.length > 0 || (money?.unit ?? null) !== null);
  const { namings, isSure } = namingsOf(draft, named, hasUnits);
  // The same price in several currencies, where nothing else differs.
  const isOneInAll = !used.some(({ kind }) => kind !== 'constant' && kind !== 'money');
  if (namings.length === 0 || (isOneInAll && draft.unpivoted.length > 1))
    return askForPrice(draft, draft.unpivoted);
  releaseForHeaders(draft, used);
  const patternsOf = (naming: readonly string[]) => {
    let names = 0;
    return used.map((level): string => {
      if (level.kind === 'quarter') throw new NoProposal(`${QUARTERS} ${draft.storable} can.`);
      if (level.kind === 'undated')
        throw new NoProposal(
          `The columns are ${level.names.slice(0, 2).map(quoted).join(', ')}, …: a mapping does not read days and weeks without a year, weeks of a month, and years that begin in the middle of one.`,
        );
      const field = level.kind === 'name' ? naming[names++] : FIELD_OF_LEVEL[level.kind];
      const pattern = field === undefined ? level.pattern : level.pattern.replace('{}', `{${field}}`);
      return fieldsIn(pattern);
    });
  };
  const patterns = patternsOf(namings[0]!);
  const statistics = used.findIndex(({ kind }) => kind === 'statistic');
  if (statistics >= 0) return askForStatistic(draft, used, patterns, statistics);
  draft.unpivot = { columns: patterns.join(draft.join), value: draft.value };
  const shown = draft.unpivoted
    .slice(0, 3)
    .map(({ header }) => quoted(header))
    .join(', ');
  const more = draft.unpivoted.length > 3 ? ', …' : '';
  draft.say('unpivot.columns', `${draft.unpivoted.length} columns become rows: ${shown}${more}.`);
  if (dropped.length > 0)
    draft.say('unpivot.columns', `Not read: ${dropped.map(({ header }) => quoted(header)).join(', ')}.`);
  if (!isSure) {
    // Where one field is left, headers are of that one, unless they are those of prices.
    const isLikely = namings.length === 1 && !draft.unpivoted.some(({ header }) => isPriceHeader(header));
    draft.ask({
      control: 'unpivot.columns',
      text: `What do the headers ${shown}${more} name?`,
      proposed: isLikely ? draft.unpivot.columns : null,
      because: isLikely ? `The ${namings[0]![0] === 'market' ? 'product' : 'market'} has a column.` : null,
      answers: [
        ...namings.map((naming): Answer => ({
          value: patternsOf(naming).join(draft.join),
          label: naming.map((field) => NAMED[field]!).join(', then '),
        })),
        ...(draft.whole === null || namings[0]!.length < 2
          ? []
          : [{ value: fieldsIn(draft.whole.replace('{}', '{commodity}')), label: 'Products alone' }]),
        ...(draft.table === 'prices' && named.length === used.length && draft.unpivoted.length <= MAX_OFFERED
          ? draft.unpivoted.map((column): Answer => ({
              value: columnAnswer(column).value,
              label: `Neither: ${columnText(column)} is the ${draft.noun}`,
            }))
          : []),
      ],
    });
  }
  for (const column of draft.unpivoted) column.role = draft.value;
  restrictNames(draft, used, dropped);
  for (const { kind, names: texts } of used)
    if (kind === 'type')
      draft.fields.price_type = {
        values: Object.fromEntries(texts.map((text) => [text, priceTypesIn(text)[0]!])),
      };
}

const NAMED: Readonly<Record<string, string>> = {
  market: 'Markets',
  commodity: 'Products',
  admin_unit: 'Regions',
};

const fieldsIn = (pattern: string): string => pattern.replace('{unit}', '{measure_unit}');

/** Headers that differ in units or currencies say more than a column of them. */
function releaseForHeaders(draft: Draft, levels: readonly Level[]): void {
  for (const [field, words, isIn] of [
    ['measure_unit', 'units', levels.some(({ units }) => units.length > 0)],
    ['currency', 'currencies', levels.some(({ currencies }) => currencies.length > 0)],
  ] as const) {
    const column = isIn ? draft.of(field) : undefined;
    if (column === undefined) continue;
    draft.release(column, field);
    draft.confirm(
      field,
      `${columnSubject(column)} has ${words}, as headers do: those of the headers are read.`,
    );
  }
}

function askForPrice(draft: Draft, columns: readonly ValuedColumn[]): void {
  draft.levels = [];
  draft.unpivoted = [];
  draft.ask({
    control: `fields.${draft.value}`,
    text: `Which column has the ${draft.noun}?`,
    answers: columns.map(columnAnswer),
  });
}

/** What the names in headers can be. */
interface Namings {
  /** Possible assignments, the likeliest first: each has a field for every level of names. */
  readonly namings: readonly (readonly string[])[];
  /** Whether stored records say it, or there are no names. */
  readonly isSure: boolean;
}

/** The fields that the levels of names can be: by stored records, or else all that are open. */
function namingsOf(draft: Draft, levels: readonly Level[], hasUnits: boolean): Namings {
  const sure = (...fields: string[]): Namings => ({ namings: [fields], isSure: true });
  const unsure = (...namings: string[][]): Namings => ({ namings, isSure: false });
  const open = KEYS.filter((field) => draft.of(field) === undefined);
  if (levels.length === 0) return sure();
  const region = levels.length > open.length ? levels.findIndex((level) => isOfRegions(draft, level)) : -1;
  if (region >= 0) {
    const { namings, isSure } = namingsOf(draft, levels.toSpliced(region, 1), hasUnits);
    return { namings: namings.map((naming) => naming.toSpliced(region, 0, 'admin_unit')), isSure };
  }
  if (levels.length > open.length) return unsure();
  if (levels.length === 1) {
    const [only] = levels as [Level];
    const field = knownNames(draft, only);
    if (open.length === 1) return hasUnits || field === open[0] ? sure(open[0]!) : unsure([open[0]!]);
    return field === null ? unsure(['commodity'], ['market']) : sure(field);
  }
  const [first, second] = levels.map((level) => knownNames(draft, level));
  if (first === 'market' || second === 'commodity') return sure('market', 'commodity');
  if (first === 'commodity' || second === 'market') return sure('commodity', 'market');
  return unsure(['commodity', 'market'], ['market', 'commodity']);
}

/** Whether a row of the header begins with a word for regions: `Region:`. */
function isOfRegions(draft: Draft, level: Level): boolean {
  const row = draft.levels.indexOf(level);
  return (
    draft.of('admin_unit') === undefined &&
    draft.columns.some(
      (column) =>
        !draft.unpivoted.includes(column) && fieldOfHeader(column.parts[row] ?? '') === 'admin_unit',
    )
  );
}

/** The records that names are of, where more of them are known as such; else null. */
function knownNames(draft: Draft, { names }: Level): string | null {
  const distinct = [...new Set(names)];
  const count = (table: 'market' | 'commodity') =>
    distinct.filter((name) => draft.known.has(table, name)).length;
  const [markets, commodities] = [count('market'), count('commodity')];
  if (markets === commodities) return null;
  const most = Math.max(markets, commodities);
  draft.say(
    'unpivot.columns',
    `${most} of ${distinct.length} headers are names of ${markets > commodities ? 'markets' : 'commodities'} known here.`,
  );
  return markets > commodities ? 'market' : 'commodity';
}

/** Where other headers fit the pattern as well, the names that are meant are listed. */
function restrictNames(draft: Draft, levels: readonly Level[], dropped: readonly ValuedColumn[]): void {
  const level = levels.find(({ kind }) => kind === 'name');
  const others = [
    ...dropped,
    ...draft.columns.filter(({ role }) => role === null && !draft.unpivoted.includes(draft.columns[0]!)),
  ];
  if (level === undefined || others.length === 0) return;
  const field = draft.inHeader('commodity') && !draft.inHeader('market') ? 'commodity' : 'market';
  if (draft.inHeader('commodity') && draft.inHeader('market')) return;
  draft.fields[field] = {
    values: Object.fromEntries([...new Set(level.names)].map((name) => [name, name])),
  };
}

/** Several statistics of one price: which of them is the price is for people. */
function askForStatistic(
  draft: Draft,
  levels: readonly Level[],
  patterns: readonly string[],
  at: number,
): void {
  const texts = [...new Set(draft.unpivoted.map(({ parts }) => parts[parts.length - levels.length + at]!))];
  const isLong =
    levels.length === 1 || levels.every(({ kind }, index) => index === at || kind === 'constant');
  if (isLong) {
    draft.ask({
      control: `fields.${draft.value}`,
      text: `Which of the columns is the ${draft.noun}: ${texts.map(quoted).join(', ')}?`,
      answers: draft.unpivoted.map(columnAnswer),
      ...likelyAnswer(draft.unpivoted.map((column) => ({ ...columnAnswer(column), label: column.header }))),
    });
    draft.levels = [];
    draft.unpivoted = [];
    return;
  }
  const answers = texts.map((text): Answer => {
    const pattern = patterns
      .map((part, index) => (index === at ? text : part))
      .filter((part) => part !== '')
      .join(draft.join);
    return { value: pattern, label: text };
  });
  draft.unpivot = { columns: answers[0]!.value, value: draft.value };
  for (const column of draft.unpivoted) column.role = draft.value;
  draft.ask({
    control: 'unpivot.columns',
    text: `Which of the columns is the ${draft.noun}: ${texts.map(quoted).join(', ')}?`,
    answers,
    ...likelyAnswer(answers),
  });
}

const QUARTERS = 'The columns are quarters of a year, which cannot be stored: only';

/** The fields of levels that are no names. */
const FIELD_OF_LEVEL: Readonly<Partial<Record<Level['kind'], string>>> = {
  date: 'date',
  month: 'month',
  year: 'year',
  type: 'price_type',
  country: 'iso3_country_code',
};

/** The average, or what is most usual, among statistics. */
function likelyAnswer(answers: readonly Answer[]): Partial<Question> {
  const likely = answers.find(({ label }) => ['average', 'modal'].includes(statisticOf(label) ?? ''));
  return likely === undefined ? {} : { proposed: likely.value, because: 'It lies between the others.' };
}
