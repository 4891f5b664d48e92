import { ImportRejected } from './batch.js';

/** An input, or a part of one, that is something else than JSON objects. */
export class NotJsonObjects extends ImportRejected {}

/** Characters of one element that are looked at: what is longer is no record. */
const LONGEST_ELEMENT = 8 * 1024 * 1024;

/**
 * The elements of a JSON input, as texts, one at a time: those of an array, those of the array `results` of an envelope, or one
 * value after the other (NDJSON). So a list of any length takes the memory of its longest element.
 * @throws NotJsonObjects for what stands where an object should; ImportRefused for JSON that is not whole
 */
export async function* jsonElements(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const splitter = new Splitter();
  for await (const block of piecesOf(chunks)) {
    const elements = splitter.take(block);
    if (elements.length > 0) yield elements;
  }
  splitter.end();
}

/** JSON may stand in one line of any length, so it is not read by lines. */
async function* piecesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** How many brackets are open around the elements: none (they follow each other), an array's, or an envelope's and its array's. */
const OUTSIDE = 0;
const IN_ARRAY = 1;
const IN_ENVELOPE = 2;
type Place = typeof OUTSIDE | typeof IN_ARRAY | typeof IN_ENVELOPE;

const STRUCTURE = /["[\]{}]/g;
const STRING_END = /["\\]/g;
const BETWEEN = /^[\s,]*$/;
const RESULTS = /^"results"\s*:\s*$/;

class Splitter {
  private text = '';
  /** Where to look on in `text`. */
  private at = 0;
  private inString = false;
  private depth = 0;
  /** Where the last string began since a bracket was opened, -1 for none: what is before a bracket is looked at once. */
  private string = -1;
  private place: Place = OUTSIDE;
  /** Where the element begins that is being read, -1 between elements. */
  private start = -1;
  /** Up to where everything between the elements is known to be blanks and commas. */
  private clean = 0;

  /** Takes more text and gives the elements that it completes. */
  take(more: string): string[] {
    this.text += more;
    const elements: string[] = [];
    while (this.step(elements));
    // What is done with is dropped; of an envelope's own fields enough stays to tell the name of the next.
    const keep = this.start >= 0 ? this.start : this.clean;
    this.text = this.text.slice(keep);
    this.at -= keep;
    this.string = Math.max(-1, this.string - keep);
    this.clean = 0;
    if (this.start >= 0) this.start = 0;
    if (this.text.length > LONGEST_ELEMENT)
      throw new ImportRejected('The input is not a list: one value has more than 8 MB.');
    return elements;
  }

  /** @throws ImportRefused where something is open, or stands between the elements */
  end(): void {
    if (this.depth > 0 || this.inString) throw new ImportRejected('The JSON ends early.');
    this.expectClean(this.text.length);
  }

  /** Goes on to the next character that matters; false where there is none. */
  private step(elements: string[]): boolean {
    if (this.inString) {
      STRING_END.lastIndex = this.at;
      const found = STRING_END.exec(this.text);
      if (found === null) {
        this.at = this.text.length;
        return false;
      }
      if (found[0] === '\\') {
        // The escaped character may not have come yet.
        if (found.index + 1 >= this.text.length) {
          this.at = found.index;
          return false;
        }
        this.at = found.index + 2;
      } else {
        this.inString = false;
        this.at = found.index + 1;
      }
      return true;
    }
    STRUCTURE.lastIndex = this.at;
    const found = STRUCTURE.exec(this.text);
    if (found === null) {
      this.at = this.text.length;
      return false;
    }
    this.at = found.index + 1;
    const character = found[0];
    if (character === '"') {
      this.inString = true;
      this.string = found.index;
    } else if (character === '{' || character === '[') this.open(character, found.index);
    else this.close(found.index, elements);
    return true;
  }

  private open(character: string, index: number): void {
    const { depth, place, string } = this;
    this.depth++;
    this.string = -1;
    if (depth === 0) {
      this.expectClean(index);
      if (character === '[') this.enter(IN_ARRAY, index);
      else this.start = index;
    } else if (
      place === OUTSIDE &&
      depth === 1 &&
      character === '[' &&
      string >= 0 &&
      RESULTS.test(this.text.slice(string, index))
    ) {
      this.enter(IN_ENVELOPE, index);
    } else if (this.start < 0 && depth === place) {
      this.expectClean(index);
      this.start = index;
    }
  }

  private enter(place: Place, index: number): void {
    this.place = place;
    this.start = -1;
    this.clean = index + 1;
  }

  private close(index: number, elements: string[]): void {
    this.depth--;
    if (this.depth < 0)
      throw new ImportRejected('The input is not JSON: a bracket is closed that was not open.');
    if (this.start >= 0 && this.depth === this.place) {
      elements.push(this.text.slice(this.start, index + 1));
      this.start = -1;
      this.clean = index + 1;
    } else if (this.place !== OUTSIDE && this.depth === this.place - 1) {
      // The end of the list; in an envelope other fields may follow.
      this.expectClean(index);
      this.clean = index + 1;
    }
    if (this.depth === 0) {
      this.place = OUTSIDE;
      this.clean = index + 1;
    }
  }

  private expectClean(index: number): void {
    if (!BETWEEN.test(this.text.slice(this.clean, index))) {
      throw new NotJsonObjects('The input is not a list of JSON objects.');
    }
    this.clean = index;
  }
}
