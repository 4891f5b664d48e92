import type { Draft, ValuedColumn } from '../draft.js';
import { quoted } from '../sentences.js';
import { countryOf } from './column-roles.js';
import { type Level, levelOf } from './levels.js';

/** What stands between the parts of a header, those first that stand in no name. */
const SEPARATORS = [' | ', ' - ', ' – ', ' — ', ' / ', '; ', ', ', ': ', '_', '|'] as const;
const MAX_PARTS = 6;

/**
 * Takes a header of one row apart, whose cells have several things with a sign between: `Kenya -
 * Nairobi - Maize - KES/kg`. The parts then are as the rows of a header are.
 */
export function splitHeaders(draft: Draft, columns: readonly ValuedColumn[]): void {
  if (columns.length < 2 || columns.some(({ parts }) => parts.length !== 1)) return;
  const headers = columns.map(({ parts }) => parts[0]!);
  if (levelOf(headers, draft.languages).kind !== 'name') return;
  for (const separator of SEPARATORS) {
    const parts = headers.map((header) => header.split(separator));
    const { length } = parts[0]!;
    if (length < 2 || length > MAX_PARTS) continue;
    if (parts.some((each) => each.length !== length || each.some((part) => part.trim() === ''))) continue;
    const levels = parts[0]!.map((_, at) =>
      levelOf(
        parts.map((each) => each[at]!),
        draft.languages,
      ),
    );
    if (!areApart(levels)) continue;
    for (const [at, column] of columns.entries()) column.parts = parts[at]!;
    draft.join = separator;
    draft.whole = levelOf(headers, draft.languages).pattern;
    draft.say('unpivot.columns', `The headers have ${length} parts, with ${quoted(separator)} between them.`);
    const country = levels.find(({ kind, pattern }) => kind === 'constant' && countryOf(pattern) !== null);
    if (country === undefined || draft.of('iso3_country_code') !== undefined) return;
    draft.fields.iso3_country_code = { value: countryOf(country.pattern)! };
    draft.say('fields.iso3_country_code', `All headers have ${quoted(country.pattern)}.`);
    return;
  }
}

/**
 * Whether parts are things of their own: one of them at least is no name, and what all headers have
 * is no part of one, as `Rice` in `Rice, local` and `Rice, imported`.
 */
function areApart(levels: readonly Level[]): boolean {
  const isClear = ({ kind, pattern, money }: Level) =>
    kind === 'constant' ? money !== null || countryOf(pattern) !== null : kind !== 'name';
  const names = levels.filter(({ kind }) => kind === 'name');
  return (
    names.length > 0 &&
    names.length <= 2 &&
    levels.every((level) => level.kind === 'name' || isClear(level)) &&
    // Of two names, which of them is the market is asked.
    (names.length < levels.length || names.some(({ names: each }) => new Set(each).size < each.length)) &&
    (names.length < levels.length || names.some(({ money, units }) => money !== null || units.length > 0))
  );
}
