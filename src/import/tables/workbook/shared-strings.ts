import type { WorkbookParts } from './workbook-parts.js';

/** Maximum length of the part. */
const MAX_BYTES = 64 * 1024 * 1024;

/** What Excel writes for characters that XML has not, such as `_x000D_`. */
const ESCAPES = /_x([0-9a-f]{4})_/gi;

/** A text without the escapes of Excel. */
export const unescaped = (text: string): string =>
  text.includes('_x')
    ? text.replace(ESCAPES, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    : text;

/** Takes the text of an item, of one run or several, without the readings of Japanese names. */
export class RichText {
  private text = '';
  private isText = false;
  private isReading = false;

  open(name: string): void {
    if (name === 'rPh') this.isReading = true;
    else if (name === 't') this.isText = !this.isReading;
  }

  add(text: string): void {
    if (this.isText) this.text += text;
  }

  close(name: string): void {
    if (name === 'rPh') this.isReading = false;
    else if (name === 't') this.isText = false;
  }

  take(): string {
    const { text } = this;
    this.text = '';
    return unescaped(text);
  }
}

/** Reads the texts that the cells of a workbook refer to. */
export async function readSharedStrings(parts: WorkbookParts, path: string): Promise<string[]> {
  const strings: string[] = [];
  const text = new RichText();
  await parts.readWhole(path, MAX_BYTES, {
    open: (name) => text.open(name),
    text: (more) => text.add(more),
    close(name) {
      text.close(name);
      if (name === 'si') strings.push(text.take());
    },
  });
  return strings;
}
