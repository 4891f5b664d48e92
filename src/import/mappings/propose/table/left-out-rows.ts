import { isMissingValue } from '../../../../lib/text/missing-values.js';
import { foldWords, isNote, totalWordOf } from '../columns/words.js';
import type { Draft } from '../draft.js';
import { capital, quoted, rowsText } from '../sentences.js';
import { cellKindOf, headerParts } from './layout.js';
import type { SampleRow } from './sample.js';

/** Decides how header rows are joined, so that patterns can tell their parts. */
export function readHeader(draft: Draft): void {
  const { header, width, numeric } = draft.layout;
  const parts = headerParts(header, width);
  const several = numeric.filter((column) => parts[column]!.filter((part) => part !== '').length > 1);
  if (several.length > 1) draft.join = ' | ';
  if (header.length === 0)
    draft.say('dialect.headerRows', 'No row names the columns: they go by their numbers.');
  else draft.say('dialect.headerRows', `Header in ${rowsText(header)}.`);
  if (draft.layout.titles.length > 0) {
    const first = draft.layout.titles[0]!.cells.find((cell) => cell.trim() !== '')!.trim();
    draft.say(
      'dialect.headerRows',
      `Above it, as from row ${draft.layout.titles[0]!.number}: ${quoted(first)}.`,
    );
  }
  if (draft.layout.numbered.length > 0)
    draft.say('dialect.commentRows', `${capital(rowsText(draft.layout.numbered))} numbers the columns.`);
}

/** Finds repeated headers, totals and headings among the rows. */
export function leaveOutRows(draft: Draft): void {
  const { header, numeric } = draft.layout;
  const names = draft.names();
  const refs = draft.refs(names);
  const lastHeader = header.at(-1);
  const isText = (row: SampleRow, column: number) =>
    ['text', 'date'].includes(cellKindOf(row.cells[column] ?? ''));
  const found = new Map<string, { column: number; text: string; rows: SampleRow[]; startsWith: boolean }>();
  const headings: SampleRow[] = [];
  const kept: SampleRow[] = [];
  for (const row of draft.rows) {
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
    const named = filledColumns(draft, row);
    // A month without any value is no heading.
    const isHeading = named[0] === first && !numeric.includes(first);
    if (named.length === 1 && isHeading && (isAlone(row) || cellKindOf(text) === 'text')) headings.push(row);
  }
  draft.rows = kept;
  for (const { column, text, rows } of found.values()) {
    draft.skip.push({ column: refs[column]!, equals: text });
    draft.say(
      'skip',
      `${capital(rowsText(rows))} with ${quoted(text)} ${rows.length === 1 ? 'is' : 'are'} left out.`,
    );
  }
  findHeadings(draft, headings);
}

/** The columns of a row that have more than marks for missing values, which headings may have. */
const filledColumns = ({ layout }: Draft, { cells }: SampleRow): number[] =>
  cells.flatMap((cell, column) => {
    const text = cell.trim();
    return text === '' || isMissingValue(text) || layout.marks.all.has(text) ? [] : [column];
  });

/** Whether a row has one cell and no marks. */
const isAlone = ({ cells }: SampleRow): boolean => cells.filter((cell) => cell.trim() !== '').length === 1;

/** Rows with one text that say something of those below them. */
function findHeadings(draft: Draft, headings: readonly SampleRow[]): void {
  const { numeric } = draft.layout;
  const values = draft.rows.filter((row) => !headings.includes(row));
  const lost = headings.filter((row) => {
    const column = filledColumns(draft, row)[0]!;
    // A column that only headings fill is filled down.
    return values.some(({ cells }) => (cells[column] ?? '').trim() !== '') || numeric.includes(column);
  });
  if (lost.length === 0) return;
  const shown = lost.slice(0, 4).map(({ cells }) => quoted(cells.find((cell) => cell.trim() !== '')!.trim()));
  draft.confirm(
    'headings',
    `${capital(rowsText(lost))} ${lost.length === 1 ? 'has' : 'have'} one text each and no value (${shown.join(', ')}). ` +
      'A mapping does not read such headings: where they say of which market or product the rows below ' +
      'them are, this file cannot be read right.',
  );
  draft.rows = draft.rows.filter((row) => !lost.includes(row));
}

/** Where the table ends, and what is below it. */
export function findEnd(draft: Draft): void {
  const { notes, second } = draft.layout;
  const row = second ?? notes[0];
  if (row === undefined) return;
  const column = row.cells.findIndex((cell) => cell.trim() !== '');
  const text = row.cells[column]!.trim();
  const ref = draft.columns[column]?.ref ?? column + 1;
  const begin = /^[^:：]{1,30}[:：]/.exec(text)?.[0] ?? text.slice(0, MAX_END);
  const isUnique = !draft.columns[column]?.values.some((value) => value.startsWith(begin));
  if (second === null && notes.every((note) => isWithoutValue(draft, note))) return;
  if (!isUnique) {
    draft.confirm(
      'end',
      `Below the table is ${quoted(text)} in row ${row.number}, with which rows of it begin, too.`,
    );
    return;
  }
  draft.end =
    begin === text && second !== null ? { column: ref, equals: text } : { column: ref, startsWith: begin };
  draft.say('end', `The table ends above row ${row.number}: ${quoted(text)}.`);
  if (second !== null)
    draft.confirm(
      'second',
      `Another table begins in row ${row.number}, with ${quoted(text)}. Only the first one is read.`,
    );
  else if (!isNote(text) && notes.length > 3)
    draft.confirm('end', `What is below row ${row.number} is not read: ${quoted(text)}.`);
}

/** Whether a row below the last value is one of the table, as those above it but for its values. */
function isWithoutValue({ columns, layout }: Draft, { cells }: SampleRow): boolean {
  const filled = columns.filter(({ index }) => (cells[index] ?? '').trim() !== '');
  const known = filled.filter(({ index, distinct }) => distinct.includes(cells[index]!.trim()));
  return known.length > 1 && filled.every(({ index }) => !layout.numeric.includes(index));
}

/** Characters of a note by which the end of a table is found. */
const MAX_END = 30;

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
