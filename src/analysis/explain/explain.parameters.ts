import { ValidationError, type Violation } from '../../platform/errors/api-error.js';
import type { ListFormat } from '../../platform/formats/list-format.js';
import { flag, one } from '../../platform/validation/parsers.js';

/** The most values that one reply explains. */
export const MAX_EXPLAINED = 12;

/** The parameter of everything that can be explained. */
export const explainParameter = one(
  flag,
  `Adds \`explain\`, in JSON: what each number was calculated from, down to stored points, exchange rates and indices. Of up to ${MAX_EXPLAINED} at once.`,
);

/** Explanations are trees, so no rows of a table. */
export function explainViolations(explain: boolean | undefined, { name }: ListFormat): Violation[] {
  if (explain !== true || name === 'json') return [];
  const detail = `explain=true is answered in JSON only; the format is ${name}.`;
  return [{ in: 'query', name: 'explain', code: 'contradiction', detail }];
}

/**
 * The error where more is selected than can be explained at once.
 * @param things what is explained, in the plural
 * @param narrow how to select less
 */
export function tooManyExplained(
  count: number,
  things: string,
  narrow: string,
  max = MAX_EXPLAINED,
): ValidationError {
  const detail = `explain=true explains at most ${max} ${things}; the parameters select ${count}. ${narrow}`;
  return new ValidationError([{ in: 'query', name: 'explain', code: 'too_many_items', detail, max, count }]);
}
