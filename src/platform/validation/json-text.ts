import { MalformedJson } from '../errors/api-error.js';

/** Most significant digits of a number: as many as a double always preserves. */
export const SIGNIFICANT_DIGITS = 15;

const STRING_START = /"[^"\\\0-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\0-\x1f]*)*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /true|false|null/y;
const BLANK = /[ \t\n\r]*/y;

/** What a parsed object no longer shows of its text: names of its members. */
interface LostMembers {
  /** Their numbers were written with more digits than a double preserves. */
  readonly overlong: ReadonlySet<string>;
  /** They occur more than once; `JSON.parse` takes the last, other parsers the first. */
  readonly repeated: ReadonlySet<string>;
}

const lostMembers = new WeakMap<object, LostMembers>();
const NOTHING_LOST: LostMembers = { overlong: new Set(), repeated: new Set() };

/**
 * Parses a JSON text.
 * @throws MalformedJson with the position, and without any of the text, which may be a password
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw malformed(text, scan(text).errorAt);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    lostMembers.set(value, scan(text));
  return value;
}

/** What a body that `parseJson` returned no longer shows of its text. */
export function lostInParsing(body: object): LostMembers {
  return lostMembers.get(body) ?? NOTHING_LOST;
}

/** The number of significant digits of a JSON number, without leading and trailing zeros. */
export function significantDigits(number: string): number {
  const [mantissa = ''] = number.split(/[eE]/);
  const digits = mantissa.replace(/[-.]/g, '');
  let from = 0;
  let to = digits.length;
  while (from < to && digits[from] === '0') from++;
  // /0+$/ would be quadratic: it restarts at each zero within the number.
  while (to > from && digits[to - 1] === '0') to--;
  return to - from;
}

function malformed(text: string, position: number): MalformedJson {
  if (text.trim() === '') return new MalformedJson('The body is empty; it must be a JSON object.', 0);
  if (position >= text.length)
    return new MalformedJson(`The body is not valid JSON: unexpected end at position ${position}.`, position);
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  const column = position - before.lastIndexOf('\n');
  return new MalformedJson(
    `The body is not valid JSON: syntax error at line ${line}, column ${column} (position ${position}).`,
    position,
  );
}

/**
 * Scans a JSON text without recursion, so that nesting cannot overflow the stack.
 * @returns the position of the first error, and the lost members of the outermost object
 */
function scan(text: string): { errorAt: number } & LostMembers {
  const names = new Set<string>();
  const overlong = new Set<string>();
  const repeated = new Set<string>();
  const open: ('{' | '[')[] = [];
  let member = '';
  let position = 0;
  let expected: 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' = 'value';

  const consume = (pattern: RegExp): string | null => {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match === null) return null;
    position += match[0].length;
    return match[0];
  };
  const string = (): string | null => {
    const start = consume(STRING_START);
    if (start === null || text[position] !== '"') return null;
    position++;
    return JSON.parse(`${start}"`) as string;
  };
  const close = (): void => {
    open.pop();
    position++;
    expected = 'comma or end';
  };

  for (;;) {
    consume(BLANK);
    const next = text[position];
    if (expected === 'comma or end') {
      if (open.length === 0) return { errorAt: position, overlong, repeated };
      const end = open.at(-1) === '{' ? '}' : ']';
      if (next === end) close();
      else if (next === ',') {
        position++;
        expected = end === '}' ? 'name' : 'value';
      } else return { errorAt: position, overlong, repeated };
    } else if (expected === 'colon') {
      if (next !== ':') return { errorAt: position, overlong, repeated };
      position++;
      expected = 'value';
    } else if (expected === 'name' || expected === 'name or end') {
      if (next === '}' && expected === 'name or end') close();
      else {
        const name = string();
        if (name === null) return { errorAt: position, overlong, repeated };
        if (open.length === 1) {
          if (names.has(name)) repeated.add(name);
          names.add(name);
          member = name;
        }
        expected = 'colon';
      }
    } else if (next === ']' && expected === 'value or end') {
      close();
    } else if (next === '{' || next === '[') {
      open.push(next);
      position++;
      expected = next === '{' ? 'name or end' : 'value or end';
    } else if (next === '"') {
      if (string() === null) return { errorAt: position, overlong, repeated };
      expected = 'comma or end';
    } else {
      const number = consume(NUMBER);
      if (number === null && consume(WORD) === null) return { errorAt: position, overlong, repeated };
      if (
        number !== null &&
        open.length === 1 &&
        open[0] === '{' &&
        significantDigits(number) > SIGNIFICANT_DIGITS
      )
        overlong.add(member);
      expected = 'comma or end';
    }
  }
}
