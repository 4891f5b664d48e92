import { type JsonElement, placeIn } from './json-elements.js';

/** The first place of a text that is not JSON, and why. */
interface JsonFault {
  readonly index: number;
  readonly reason: string;
}

/** A token of JSON, after whitespace; no alternative backtracks into a long string. */
const TOKEN =
  /[\t\n\r ]*(?:("[^"\\\0-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\0-\x1f]*)*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.]))|(true|false|null)(?!\w)|([[\]{},:]))/y;
const BLANKS = /[\t\n\r ]*/y;
const WORD = /[-+]?[\w.]+/y;

/** What may come next: a value, the name of a field, or one of some signs. */
type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma or end' | 'nothing';

/**
 * Finds what is wrong with a JSON text, for a message: `JSON.parse` names a place in some versions
 * of Node.js only.
 * @returns null for valid JSON
 */
function jsonFault(text: string): JsonFault | null {
  const open: string[] = [];
  let expected: Expected = 'value';
  let comma = -1;
  for (let position = 0; ;) {
    BLANKS.lastIndex = position;
    BLANKS.test(text);
    const index = BLANKS.lastIndex;
    if (index === text.length) {
      return expected === 'nothing' ? null : { index, reason: 'it ends too early' };
    }
    TOKEN.lastIndex = index;
    const token = TOKEN.exec(text);
    if (token === null) return { index, reason: reasonOf(text, index) };
    const [, string, number, literal, sign] = token;
    const after: Expected = open.length === 0 ? 'nothing' : 'comma or end';
    const isValue = expected === 'value' || expected === 'value or ]';
    const isName = expected === 'name' || expected === 'name or }';
    if (isValue && (string ?? number ?? literal) !== undefined) expected = after;
    else if (isName && string !== undefined) expected = 'colon';
    else if (expected === 'colon' && sign === ':') expected = 'value';
    else if (isValue && (sign === '{' || sign === '[')) {
      open.push(sign);
      expected = sign === '{' ? 'name or }' : 'value or ]';
    } else if (expected === 'comma or end' && sign === ',') {
      comma = index;
      expected = open.at(-1) === '{' ? 'name' : 'value';
    } else if (
      (sign === '}' && open.at(-1) === '{' && (expected === 'name or }' || expected === 'comma or end')) ||
      (sign === ']' && open.at(-1) === '[' && (expected === 'value or ]' || expected === 'comma or end'))
    ) {
      open.pop();
      expected = open.length === 0 ? 'nothing' : 'comma or end';
    } else if (
      (sign === '}' || sign === ']') &&
      (expected === 'name' || expected === 'value') &&
      comma >= 0
    ) {
      return { index: comma, reason: `a comma must not stand before ${sign}` };
    } else return { index, reason: reasonOf(text, index) };
    position = TOKEN.lastIndex;
  }
}

function reasonOf(text: string, index: number): string {
  WORD.lastIndex = index;
  const word = WORD.exec(text)?.[0].slice(0, 20);
  if (word === undefined) {
    if (text[index] === '"') return 'a text has a line break, or an escape that JSON does not have';
    return `${JSON.stringify(text[index])} is not expected there`;
  }
  if (/^([-+]?(nan|inf|infinity)|none|undefined|na)$/i.test(word)) return `${word} is not JSON: write null`;
  if (/^(true|false|null)$/i.test(word)) return `${word} is not JSON: write ${word.toLowerCase()}`;
  return `${JSON.stringify(word)} is not expected there`;
}

/** The first fault of an element that is not JSON, with its line and column in the input. */
export function elementFault(element: JsonElement): string {
  const { index, reason } = jsonFault(element.text)!;
  const { line, column } = placeIn(element.text, index, { ...element, index: 0 });
  return `line ${line}, column ${column}: ${reason}.`;
}
