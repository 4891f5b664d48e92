/** Longest address of a page. */
const MAX_LENGTH = 4000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/**
 * Finds the member `next` of the object that a JSON document is, while its bytes pass by: the
 * address of the next page of a list. Members of that name within others are none.
 */
export class NextPage {
  private depth = 0;
  private inString = false;
  private escapes = false;
  /** The last string at the top, while it is read; null elsewhere. */
  private text: number[] | null = null;
  private last = '';
  /** The name of the member whose value comes next. */
  private member = '';
  private found: string | null = null;

  /** The address; null where there is none, or it is null. */
  get address(): string | null {
    return this.found;
  }

  push(chunk: Uint8Array): void {
    for (const byte of chunk) {
      if (this.inString) this.inText(byte);
      else if (byte === QUOTE) {
        this.inString = true;
        this.text = this.depth === 1 ? [] : null;
      } else if (byte === COLON) {
        if (this.depth === 1) this.member = this.last;
      } else if (byte === 0x7b || byte === 0x5b) this.depth++;
      else if (byte === 0x7d || byte === 0x5d) this.depth--;
      else if (byte === 0x2c && this.depth === 1) this.member = '';
    }
  }

  private inText(byte: number): void {
    const { text } = this;
    if (this.escapes) this.escapes = false;
    else if (byte === BACKSLASH) this.escapes = true;
    else if (byte === QUOTE) {
      this.inString = false;
      if (text === null) return;
      this.last = parsed(text);
      if (this.member === 'next') this.found = this.last;
      return;
    }
    if (text !== null && text.length <= MAX_LENGTH) text.push(byte);
  }
}

/** A string of JSON; '' for one that is too long, or is none. */
function parsed(bytes: readonly number[]): string {
  if (bytes.length > MAX_LENGTH) return '';
  try {
    return JSON.parse(`"${Buffer.from(bytes).toString('utf8')}"`) as string;
  } catch {
    return '';
  }
}
