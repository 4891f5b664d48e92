import { decimalEvidence } from '../../../formats/convention/number-signs.js';
import { isMissingValue } from '../../../../lib/text/missing-values.js';
import type { Draft } from '../draft.js';
import { columnText, quoted } from '../sentences.js';
import { footnoteOf, isReadOver } from '../table/footnotes.js';
import { ARABIC_DECIMAL, ARABIC_GROUP, bareNumber, hasMoney } from '../table/cell-number.js';
import { isNumber } from '../table/layout.js';

/** The decimal sign, what stands between thousands, and marks for missing values. */
export function findNumbers(draft: Draft): void {
  const columns = draft.priceColumns();
  const cells = [...new Set(columns.flatMap(({ values }) => values))];
  const texts = cells.map(bareNumber);
  const price = (draft.fields[draft.value] ??= {});
  if (draft.readsSigns && cells.some(hasMoney)) {
    price.bareNumber = false;
    draft.say(
      `fields.${draft.value}.bareNumber`,
      `Signs of money stand with the numbers: ${quoted(cells.find(hasMoney)!)}.`,
    );
  }
  readFootnotes(draft, cells);
  confirmMarks(draft);
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
  const control = `fields.${draft.value}.decimalChar`;
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
    draft.say(
      'missingValues',
      `No numbers: ${[...new Set(unreadable)].slice(0, 4).map(quoted).join(', ')}. Such rows are rejected, unless they are marks for missing values.`,
    );
  if (shown.comma > 0 && shown.point > 0)
    return askForDecimal(
      draft,
      `Some numbers have a decimal comma, others a decimal point: ${quoted(numbers.find((text) => decimalEvidence(text) === 'comma')!)}, ${quoted(numbers.find((text) => decimalEvidence(text) === 'point')!)}. Which sign is the decimal one? Others are rejected.`,
      set,
      price,
    );
  if (shown.comma > 0) {
    set('comma');
    return draft.say(
      control,
      `Decimal comma: ${shown.comma} values such as ${quoted(numbers.find((text) => decimalEvidence(text) === 'comma')!)}.`,
    );
  }
  if (shown.point > 0) {
    set('point');
    return draft.say(
      control,
      `Decimal point: ${shown.point} values such as ${quoted(numbers.find((text) => decimalEvidence(text) === 'point')!)}.`,
    );
  }
  if (shown.either > 0) {
    const thousands = example!.replace(/[.,]/, '');
    return askForDecimal(
      draft,
      `No number shows which sign is the decimal one: is ${quoted(example!)} ${thousands} or ${example!.replace(',', '.')}?`,
      set,
      price,
    );
  }
  if (hasBlanks || hasQuotes) set('point');
  draft.say(control, 'The numbers are whole.');
}

/** Numbers with signs of footnotes: what these say is lost, so that it has to be seen. */
function readFootnotes(draft: Draft, cells: readonly string[]): void {
  const found = cells.flatMap((text) => {
    const footnote = footnoteOf(text)?.footnote;
    return footnote === undefined || !isNumber(text) ? [] : [{ text, footnote, read: isReadOver(footnote) }];
  });
  if (found.length === 0) return;
  const shown = (isRead: boolean) =>
    [...new Map(found.filter(({ read }) => read === isRead).map((one) => [one.footnote, one.text])).values()]
      .slice(0, MAX_SHOWN)
      .map((text) => (isRead ? `${quoted(text)} is ${bareNumber(text)}` : quoted(text)))
      .join(', ');
  const [read, rejected] = [shown(true), shown(false)];
  if (read !== '' && draft.readsSigns) draft.fields[draft.value]!.bareNumber = false;
  draft.confirm(
    'footnotes',
    [
      'Signs of footnotes stand behind numbers.',
      ...(read === '' ? [] : [`They are left out, whatever they say: ${read}.`]),
      ...(rejected === '' ? [] : [`Rows with digits in them are rejected: ${rejected}.`]),
    ].join(' '),
  );
}

/** Marks of missing values that only their place shows, or that stand for something elsewhere. */
function confirmMarks(draft: Draft): void {
  const { all, unknown } = draft.layout.marks;
  const doubtful = [...unknown].map(([text, count]) => `${quoted(text)} in ${count} cells`);
  for (const text of all) {
    if (isMissingValue(text) || unknown.has(text)) continue;
    const columns = draft.columns.filter(
      ({ index, isNumeric, values }) =>
        !isNumeric &&
        values.length > 0 &&
        draft.rows.some(({ cells }) => (cells[index] ?? '').trim() === text),
    );
    if (columns.length > 0) doubtful.push(`${quoted(text)}, which stands in ${columnText(columns[0]!)}, too`);
  }
  if (doubtful.length > 0)
    draft.confirm(
      'missing',
      `These are read as marks for missing values: ${doubtful.slice(0, MAX_MARKS).join('; ')}${doubtful.length > MAX_MARKS ? `; and ${doubtful.length - MAX_MARKS} more` : ''}.`,
    );
}

/** Texts and marks that a sentence shows. */
const MAX_SHOWN = 4;
const MAX_MARKS = 8;

function askForDecimal(
  draft: Draft,
  text: string,
  set: (decimal: 'comma' | 'point') => void,
  price: { groupChar?: string },
): void {
  set('point');
  delete price.groupChar;
  draft.ask({
    control: `fields.${draft.value}.decimalChar`,
    text,
    answers: [
      { value: '.', label: 'The point: 1,250.50' },
      { value: ',', label: 'The comma: 1.250,50' },
    ],
  });
}
