import { MalformedJson } from '../errors/api-error.js';

/** Most significant digits a number may have; a double gives all of them back. */
export const SIGNIFICANT_DIGITS = 15;

const STRING_START = /"[^"\\\0-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\0-\x1f]*)*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;
const BLANK = /[ \t\n\r]*/y;
/** Cheap sign that a text may hold a number with too many digits. */
const LONG_NUMBER = /[0-9][0-9.]{15}/;

const overlong = new WeakMap<object, ReadonlySet<string>>();

/**
 * The value of a JSON text.
 * @throws ParseError with the position; never with a piece of the text, which may be a password
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed(text, scan(text).stoppedAt);
  }
  if (typeof value === 'object' && value !== null && LONG_NUMBER.test(text))
    overlong.set(value, scan(text).overlong);
  return value;
}

/** Names of a parsed object's members whose numbers were written with more digits than a double holds. */
export function overlongNumbers(body: object): ReadonlySet<string> {
  return overlong.get(body) ?? new Set();
}

/** Digits of a JSON number that count: without leading zeros, and without zeros at the end. */
export function significantDigits(number: string): number {
  const [mantissa = ''] = number.split(/[eE]/);
  const digits = mantissa.replace(/[-.]/g, '');
  let from = 0;
  let to = digits.length;
  while (from < to && digits[from] === '0') from++;
  // /0+$/ would begin anew at each zero of a number that has many of them in its middle.
  while (to > from && digits[to - 1] === '0') to--;
  return to - from;
}

function malformed(text: string, position: number): MalformedJson {
  if (text.trim() === '') return new MalformedJson('The body is empty; it must be a JSON object.', 0);
  if (position >= text.length)
    return new MalformedJson(`The body is not JSON: it ends at position ${position}.`, position);
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  const column = position - before.lastIndexOf('\n');
  return new MalformedJson(
    `The body is not JSON: line ${line}, column ${column} (position ${position}).`,
    position,
  );
}

/**
 * Walks over a JSON text without recursion, so that no depth is too deep.
 * @returns where it stops being JSON, and the members of the outermost object with overlong numbers
 */
function scan(text: string): { stoppedAt: number; overlong: Set<string> } {
  const found = new Set<string>();
  const open: ('{' | '[')[] = [];
  let member = '';
  let at = 0;
  let expected: 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' = 'value';

  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) return null;
    at += match[0].length;
    return match[0];
  };
  const string = (): string | null => {
    const start = take(STRING_START);
    if (start === null || text[at] !== '"') return null;
    at++;
    return JSON.parse(`${start}"`) as string;
  };
  const close = (): void => {
    open.pop();
    at++;
    expected = 'comma or end';
  };

  for (;;) {
    take(BLANK);
    const next = text[at];
    if (expected === 'comma or end') {
      if (open.length === 0) return { stoppedAt: at, overlong: found };
      const end = open.at(-1) === '{' ? '}' : ']';
      if (next === end) close();
      else if (next === ',') {
        at++;
        expected = end === '}' ? 'name' : 'value';
      } else return { stoppedAt: at, overlong: found };
    } else if (expected === 'colon') {
      if (next !== ':') return { stoppedAt: at, overlong: found };
      at++;
      expected = 'value';
    } else if (expected === 'name' || expected === 'name or end') {
      if (next === '}' && expected === 'name or end') close();
      else {
        const name = string();
        if (name === null) return { stoppedAt: at, overlong: found };
        if (open.length === 1) member = name;
        expected = 'colon';
      }
    } else if (next === ']' && expected === 'value or end') {
      close();
    } else if (next === '{' || next === '[') {
      open.push(next);
      at++;
      expected = next === '{' ? 'name or end' : 'value or end';
    } else if (next === '"') {
      if (string() === null) return { stoppedAt: at, overlong: found };
      expected = 'comma or end';
    } else {
      const number = take(NUMBER);
      if (number === null && take(WORD) === null) return { stoppedAt: at, overlong: found };
      if (
        number !== null &&
        open.length === 1 &&
        open[0] === '{' &&
        significantDigits(number) > SIGNIFICANT_DIGITS
      )
        found.add(member);
      expected = 'comma or end';
    }
  }
}
