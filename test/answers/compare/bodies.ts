import type { AllowedTexts, TextChange } from './texts.js';

/** Characters shown of a value. */
const SHOWN = 200;
/** Most differences described for one body. */
const MOST = 20;

/** What comes of comparing two bodies. */
export interface BodyResult {
  /** Allowed changes that explain differences. */
  used: ReadonlySet<TextChange>;
  /** Descriptions of the other differences; equal differences have equal descriptions. */
  remaining: readonly string[];
}

/**
 * Compares two bodies that are not equal. Changes are allowed inside of JSON strings or, in other
 * bodies, of lines; everything between them has to be the same, byte by byte.
 */
export function compareBodies(old: string | null, newer: string | null, texts: AllowedTexts): BodyResult {
  const used = new Set<TextChange>();
  if (old === null || newer === null) return { used, remaining: [`${shown(old)} => ${shown(newer)}`] };
  const isJson = /^[[{]/.test(old);
  const [one, other] = [pieces(old, isJson), pieces(newer, isJson)];
  let allowed = one.length === other.length;
  for (let index = 0; index < Math.min(one.length, other.length); index++) {
    const [before, after] = [one[index]!, other[index]!];
    if (before === after) continue;
    // Names of members are strings, too, but never sentences.
    const isName = one[index + 1]?.trimStart().startsWith(':');
    const isText = !isJson || (index % 2 === 1 && !isName);
    const changes = isText ? texts.explain(decoded(before, isJson), decoded(after, isJson)) : null;
    if (changes === null) allowed = false;
    else for (const change of changes) used.add(change);
  }
  return { used, remaining: allowed ? [] : describe(old, newer, texts) };
}

/** Strings of a JSON body and what stands between them, in turn; lines of any other body. */
function pieces(body: string, isJson: boolean): string[] {
  return isJson ? body.split(/("(?:[^"\\]|\\.)*")/) : body.split('\n');
}

function decoded(piece: string, isJson: boolean): string {
  return isJson ? String(jsonOf(piece)?.value ?? piece) : piece;
}

function describe(old: string, newer: string, texts: AllowedTexts): string[] {
  const [one, other] = [jsonOf(old), jsonOf(newer)];
  const found =
    one === undefined || other === undefined ? [] : [...valueDifferences(one.value, other.value, '', texts)];
  return [...new Set(found.length > 0 ? found : [textDifference(old, newer)])].slice(0, MOST);
}

function* valueDifferences(
  old: unknown,
  newer: unknown,
  path: string,
  texts: AllowedTexts,
): Generator<string> {
  if (!isNested(old) || !isNested(newer) || Array.isArray(old) !== Array.isArray(newer)) {
    if (JSON.stringify(old) === JSON.stringify(newer)) return;
    const isText = typeof old === 'string' && typeof newer === 'string';
    if (isText && texts.explain(old, newer) !== null) return;
    yield `${path}: ${shown(old)} => ${shown(newer)}`;
    return;
  }
  if (Array.isArray(old) && Array.isArray(newer) && old.length !== newer.length) {
    yield `${path}: ${old.length} => ${newer.length} items`;
  }
  for (const name of new Set([...Object.keys(old), ...Object.keys(newer)])) {
    const at = Array.isArray(old) ? '*' : name;
    yield* valueDifferences(old[name], newer[name], path === '' ? at : `${path}.${at}`, texts);
  }
}

/** The first position where two texts differ, with its context. */
function textDifference(old: string, newer: string): string {
  let at = 0;
  while (old[at] === newer[at]) at++;
  const from = Math.max(0, at - 40);
  const part = (text: string) => JSON.stringify(text.slice(from, from + SHOWN));
  return `from position ${at}: ${part(old)} => ${part(newer)}`;
}

const isNested = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function jsonOf(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** A value as it can be copied into a list of changed texts. */
function shown(value: unknown): string {
  const text = value === undefined ? '(nothing)' : typeof value === 'string' ? value : JSON.stringify(value);
  const line = text.replaceAll('\n', '\\n');
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}
