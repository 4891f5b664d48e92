import { ImportRejected } from '../formats/batch.js';

/** The input, or a part of it, is not a JSON object. */
export class NotJsonObjects extends ImportRejected {}

/** Maximum length of one element in characters. */
const MAX_ELEMENT_LENGTH = 8 * 1024 * 1024;

/** An element of a JSON input. */
export interface JsonElement {
  readonly text: string;
  /** Where it begins, both counted from 1. */
  readonly line: number;
  readonly column: number;
}

/**
 * Splits a JSON input into its elements: those of an array, those of an array in an envelope, or
 * one value after another (NDJSON). Memory use is bounded by the longest element, not by the length
 * of the list.
 * @param lists names that the array of an envelope may have
 * @throws NotJsonObjects for anything between or instead of the objects
 * @throws ImportRejected for incomplete JSON
 */
export async function* jsonElements(
  chunks: AsyncIterable<Uint8Array>,
  lists: readonly string[] = ['results'],
): AsyncGenerator<JsonElement[]> {
  const splitter = new ElementSplitter(new RegExp(String.raw`^"(?:${lists.join('|')})"\s*:\s*$`, 'i'));
  for await (const block of decodeChunks(chunks)) {
    const elements = splitter.push(block);
    if (elements.length > 0) yield elements;
  }
  splitter.finish();
}

/** Chunks as text. JSON may be one line of any length, so it is not read line by line. */
async function* decodeChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** Brackets open around the elements: none (NDJSON), an array's, or also its envelope's. */
const OUTSIDE = 0;
const IN_ARRAY = 1;
const IN_ENVELOPE = 2;
type Nesting = typeof OUTSIDE | typeof IN_ARRAY | typeof IN_ENVELOPE;

const STRUCTURE = /["[\]{}]/g;
const STRING_END = /["\\]/g;
const SEPARATORS = /^[\s,]*$/;

class ElementSplitter {
  private text = '';
  /** Index in `text` from which to scan on. */
  private position = 0;
  private inString = false;
  private depth = 0;
  /**
   * Index of the last string since a bracket was opened, -1 for none. Limits the search for
   * the name of a list before a bracket, so that no text is scanned repeatedly.
   */
  private stringStart = -1;
  private nesting: Nesting = OUTSIDE;
  /** Start index of the current element, -1 between elements. */
  private elementStart = -1;
  /** Index up to which the text between elements is checked to be whitespace and commas. */
  private checkedUpTo = 0;
  /** An index in `text`, and where in the input it is. */
  private located = { index: 0, line: 1, column: 1 };

  /** @param listName the name of the list of an envelope, up to the list */
  constructor(private readonly listName: RegExp) {}

  /** Adds text and returns the elements it completes. */
  push(chunk: string): JsonElement[] {
    this.text += chunk;
    const elements: JsonElement[] = [];
    while (this.step(elements));
    // Consumed text is dropped. Between elements the text is kept, to find the list of an envelope.
    const firstKept = this.elementStart >= 0 ? this.elementStart : this.checkedUpTo;
    const { line, column } = this.locate(firstKept);
    this.located = { index: 0, line, column };
    this.text = this.text.slice(firstKept);
    this.position -= firstKept;
    this.stringStart = Math.max(-1, this.stringStart - firstKept);
    this.checkedUpTo = 0;
    if (this.elementStart >= 0) this.elementStart = 0;
    if (this.text.length > MAX_ELEMENT_LENGTH)
      throw new ImportRejected('The input is not a list: one value is larger than 8 MB.');
    return elements;
  }

  /** @throws ImportRejected for an unclosed string or bracket, or text after the last element */
  finish(): void {
    if (this.depth > 0 || this.inString) throw new ImportRejected('The JSON ends unexpectedly.');
    this.expectSeparators(this.text.length);
  }

  /** Advances past the next structural character; false where there is none. */
  private step(elements: JsonElement[]): boolean {
    if (this.inString) {
      STRING_END.lastIndex = this.position;
      const found = STRING_END.exec(this.text);
      if (found === null) {
        this.position = this.text.length;
        return false;
      }
      if (found[0] === '\\') {
        // The escaped character may be in the next chunk.
        if (found.index + 1 >= this.text.length) {
          this.position = found.index;
          return false;
        }
        this.position = found.index + 2;
      } else {
        this.inString = false;
        this.position = found.index + 1;
      }
      return true;
    }
    STRUCTURE.lastIndex = this.position;
    const found = STRUCTURE.exec(this.text);
    if (found === null) {
      this.position = this.text.length;
      return false;
    }
    this.position = found.index + 1;
    const character = found[0];
    if (character === '"') {
      this.inString = true;
      this.stringStart = found.index;
    } else if (character === '{' || character === '[') this.open(character, found.index);
    else this.close(found.index, elements);
    return true;
  }

  private open(character: string, index: number): void {
    const { depth, nesting, stringStart } = this;
    this.depth++;
    this.stringStart = -1;
    if (depth === 0) {
      this.expectSeparators(index);
      if (character === '[') this.enter(IN_ARRAY, index);
      else this.elementStart = index;
    } else if (
      nesting === OUTSIDE &&
      depth === 1 &&
      character === '[' &&
      stringStart >= 0 &&
      this.listName.test(this.text.slice(stringStart, index))
    ) {
      this.enter(IN_ENVELOPE, index);
    } else if (this.elementStart < 0 && depth === nesting) {
      this.expectSeparators(index);
      this.elementStart = index;
    }
  }

  private enter(nesting: Nesting, index: number): void {
    this.nesting = nesting;
    this.elementStart = -1;
    this.checkedUpTo = index + 1;
  }

  private close(index: number, elements: JsonElement[]): void {
    this.depth--;
    if (this.depth < 0)
      throw new ImportRejected('The input is not valid JSON: it has an unmatched closing bracket.');
    if (this.elementStart >= 0 && this.depth === this.nesting) {
      const { line, column } = this.locate(this.elementStart);
      elements.push({ text: this.text.slice(this.elementStart, index + 1), line, column });
      this.elementStart = -1;
      this.checkedUpTo = index + 1;
    } else if (this.nesting !== OUTSIDE && this.depth === this.nesting - 1) {
      // The end of the list. In an envelope other fields may follow.
      this.expectSeparators(index);
      this.checkedUpTo = index + 1;
    }
    if (this.depth === 0) {
      this.nesting = OUTSIDE;
      this.checkedUpTo = index + 1;
    }
  }

  /** Where an index of `text` is in the input; at or after the one located last. */
  private locate(index: number): { line: number; column: number } {
    this.located = placeIn(this.text, index, this.located);
    return this.located;
  }

  private expectSeparators(index: number): void {
    if (!SEPARATORS.test(this.text.slice(this.checkedUpTo, index))) {
      throw new NotJsonObjects('The input is not a list of JSON objects.');
    }
    this.checkedUpTo = index;
  }
}

/**
 * The line and column of an index of a text.
 * @param from an index at or before it, with its line and column
 */
export function placeIn(
  text: string,
  index: number,
  from: { readonly index: number; readonly line: number; readonly column: number },
): { index: number; line: number; column: number } {
  let { line, column, index: start } = from;
  for (let next = text.indexOf('\n', start); next >= 0 && next < index; next = text.indexOf('\n', start)) {
    line++;
    column = 1;
    start = next + 1;
  }
  column += index - start;
  return { index, line, column };
}
