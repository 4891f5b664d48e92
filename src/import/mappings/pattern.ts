/*
 * Patterns of headers, and of names of files and sheets: text with `{field}`, which takes at least
 * one character, and `*`, which takes any number of them. They are matched from the right without
 * going back, so that no pattern takes longer than its text and itself.
 */

/** A pattern that was read. */
export interface Pattern {
  /** Names of the fields that it takes from a text, in order. */
  readonly fields: readonly string[];
  /** What its fields take from a text; null where the text does not fit. */
  match(text: string): Readonly<Record<string, string>> | null;
}

/** A text that is no pattern, and why, as the rest of a sentence. */
interface PatternProblem {
  readonly problem: string;
}

/** Between two texts of a pattern: a field, or null for `*`. */
type Wildcard = string | null;

/** Reads a pattern. */
export function parsePattern(text: string): Pattern | PatternProblem {
  const literals: string[] = [''];
  const wildcards: Wildcard[] = [];
  for (const part of text.split(/(\{[^{}]*\}|\*)/)) {
    if (part === '*') wildcards.push(null);
    else if (part.startsWith('{') && part.endsWith('}')) {
      const name = part.slice(1, -1);
      if (!/^\w+$/.test(name)) return { problem: `must not have ${part}, which names no field.` };
      if (wildcards.includes(name)) return { problem: `must not have {${name}} twice.` };
      wildcards.push(name);
    } else {
      if (/[{}]/.test(part)) return { problem: 'must not have a brace without a field, such as {market}.' };
      literals[literals.length - 1] = part.replace(/\s+/g, ' ').normalize('NFC');
      continue;
    }
    literals.push('');
  }
  const isUnclear = literals.slice(1, -1).includes('');
  if (isUnclear) return { problem: 'must have text between any two of its fields and asterisks.' };
  const fields = wildcards.filter((name) => name !== null);
  return { fields, match: (given) => match(literals, wildcards, given) };
}

/** @throws Error for a pattern that a validated mapping does not have */
export function patternOf(text: string): Pattern {
  const pattern = parsePattern(text);
  if ('problem' in pattern) throw new Error(`The pattern ${text} ${pattern.problem}`);
  return pattern;
}

function match(
  literals: readonly string[],
  wildcards: readonly Wildcard[],
  text: string,
): Record<string, string> | null {
  const first = literals[0]!;
  const last = literals.at(-1)!;
  if (wildcards.length === 0) return text === first ? {} : null;
  if (!text.startsWith(first) || !text.endsWith(last)) return null;
  const taken: Record<string, string> = {};
  let end = text.length - last.length;
  for (let index = wildcards.length - 1; index >= 0; index--) {
    const name = wildcards[index]!;
    const least = name === null ? 0 : 1;
    const literal = literals[index]!;
    // The farthest right that leaves the wildcard enough: it leaves the others most.
    const latest = end - least - literal.length;
    const start = latest < 0 ? -1 : index === 0 ? 0 : text.lastIndexOf(literal, latest);
    if (start < 0) return null;
    if (name !== null) {
      const value = text.slice(start + literal.length, end).trim();
      if (value === '') return null;
      taken[name] = value;
    }
    end = start;
  }
  return taken;
}
