import { amountOfHeader, fieldOfHeader, isCodeHeader, statisticOf } from './columns/words.js';
import { tellsSeries } from './columns/series-values.js';
import { isLongPeriod } from '../long-periods.js';
import { isOfChanges } from './indices/index-words.js';
import type { Draft, ValuedColumn } from './draft.js';
import { columnText, quoted } from './sentences.js';
import { isNumber } from './table/layout.js';

/** Of a wide table: columns with numbers that do not become rows are lost where nobody looks. */
export function checkUnread(draft: Draft): void {
  if (draft.unpivot === undefined) return;
  const hasMonths = draft.levels.some(({ kind }) => kind === 'date' || kind === 'month');
  const unread = draft.columns.filter(
    (column) =>
      column.role === null &&
      !draft.unpivoted.includes(column) &&
      fieldOfHeader(column.header) === null &&
      !(hasMonths && column.parts.some((part) => isLongPeriod(part) || isOfChanges(part))) &&
      amountOfHeader(column.header) !== 'traded' &&
      // A mean of the others; beside other words it may be a price.
      (statisticOf(column.header) === null || /\s/.test(column.header)) &&
      column.values.some((text) => isNumber(text)),
  );
  if (unread.length === 0) return;
  const names = unread.slice(0, MAX_UNREAD).map(columnText);
  const more = unread.length > names.length ? ` and ${unread.length - names.length} more` : '';
  draft.confirm('unread', `Columns with numbers are not read: ${names.join(', ')}${more}.`);
}

/** Fields that do not tell series apart. */
const ASIDE = new Set(['comment', 'category', 'latitude', 'longitude', 'market_code', 'hs_code']);

/** Rows that are of one series and date, but have different prices: something is not read. */
export function checkDuplicates(draft: Draft): void {
  const keys = draft.columns.filter(({ role }) => role !== null && role !== draft.value && !ASIDE.has(role));
  const prices = draft.priceColumns();
  const seen = new Map<string, number>();
  const above = new Map<number, string>();
  const differing = new Set<ValuedColumn>();
  let example: [number, number] | null = null;
  const others = draft.columns.filter(
    (column) =>
      (column.role === null || column.role === 'category') &&
      column.values.length > 0 &&
      // Status and names of series say nothing that others do not.
      ((!column.isNumeric && !isCodeHeader(column.header)) || tellsSeries(draft, column)),
  );
  for (const [at, row] of draft.rows.entries()) {
    if (!draft.hasValue(at)) continue;
    const key = keys
      .map(({ index, cells, role }) => {
        const cell = cells[at]!;
        if (cell !== '' || draft.fields[role!]?.fillDown !== true) {
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
    const isSame = ({ cells }: ValuedColumn) =>
      cells[at] === cells[before] || !isNumber(cells[at]!) || !isNumber(cells[before]!);
    if (prices.every(isSame)) continue;
    example ??= [draft.rows[before]!.number, row.number];
    for (const column of others) if (column.cells[at] !== column.cells[before]) differing.add(column);
  }
  if (example === null) return;
  const [one, other] = example;
  const asked = draft.questions.filter(({ answers }) =>
    answers.some(({ value }) => value.startsWith('column:')),
  );
  // Once these are answered, their columns tell the rows apart.
  const open = [...differing].filter(
    (column) =>
      !asked.some(({ answers }) => answers.some(({ value }) => value === `column:${column.index + 1}`)),
  );
  if (open.length === 0 && differing.size > 0) return offerJoined(draft, [...differing]);
  const variety = [...differing].filter(({ header }) =>
    ['variety', 'quality'].includes(fieldOfHeader(header) ?? ''),
  );
  const commodity = draft.of('commodity');
  const begin = `Rows ${one} and ${other} have different ${draft.nouns} of one series and date`;
  if (commodity !== undefined && differing.size > 0) {
    const joined = variety.length > 0 ? variety : [...differing];
    return draft.ask({
      control: 'fields.commodity',
      text: `${begin}: they differ in ${[...differing].map(columnText).join(', ')}, which is not read. Is that a part of the product?`,
      answers: [
        {
          value: `join:${[commodity, ...joined].map(({ index }) => index + 1).join(',')}`,
          label: `Yes: the product is ${[commodity, ...joined].map(({ header }) => header).join(' and ')}`,
        },
        { value: `column:${commodity.index + 1}`, label: `No: the product is ${commodity.header} alone` },
      ],
      proposed:
        variety.length > 0 ? `join:${[commodity, ...variety].map(({ index }) => index + 1).join(',')}` : null,
      because: variety.length > 0 ? `The column is called ${quoted(variety[0]!.header)}.` : null,
    });
  }
  // A file with two monthly prices of a series in one month is rejected.
  const isMonthly = draft.fields.periodicity?.value === 'monthly';
  const apart =
    differing.size === 0
      ? `, and no column tells them apart: ${isMonthly ? 'a file of monthly prices that has such rows is rejected.' : 'only one of them is stored.'}`
      : `: they differ in ${[...differing].map(columnText).join(', ')}, which is not read, and only one of them is stored.`;
  draft.confirm('duplicates', `${begin}${apart}`);
}

/** Several columns may say the market or the product that is asked for, and each alone not. */
function offerJoined(draft: Draft, differing: readonly ValuedColumn[]): void {
  if (differing.length < 2) return;
  const joined = differing.toSorted((one, other) => one.index - other.index);
  const value = `join:${joined.map(({ index }) => index + 1).join(',')}`;
  const names = joined.map(({ header }) => header).join(' and ');
  for (const [at, question] of draft.questions.entries()) {
    const { control, answers } = question;
    const field = control === 'fields.market' ? 'market' : control === 'fields.commodity' ? 'product' : null;
    const isOffered = joined.every(({ index }) =>
      answers.some((answer) => answer.value === `column:${index + 1}`),
    );
    if (field === null || !isOffered) continue;
    draft.questions[at] = {
      ...question,
      answers: [...answers, { value, label: `The ${field} is ${names}` }],
    };
  }
}

export function askForFile(draft: Draft): void {
  const { sheetName, sheetNames, isDecoded } = draft.sample;
  if (sheetName !== null && sheetNames.length > 1)
    draft.ask({
      control: 'dialect.sheetName',
      text: 'Which sheet is to be read?',
      answers: sheetNames.map((name) => ({ value: name, label: name })),
      proposed: sheetName,
      because: 'It is the first one with a table.',
    });
  if (!isDecoded && draft.encoding === undefined)
    draft.ask({
      control: 'encoding',
      text: 'The file is not in UTF-8: in which encoding is it?',
      answers: ['windows-1252', 'windows-1251', 'windows-1256', 'windows-1250', 'iso-8859-15'].map(
        (value) => ({ value, label: value }),
      ),
    });
}

/** Columns that a sentence names. */
const MAX_UNREAD = 8;
