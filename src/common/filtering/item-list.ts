/**
 * Splits the value of a list parameter at its commas. Items are trimmed; an item that begins with `"` ends at the next
 * lone `"`, and `""` inside it stands for one. Splitting stops at an item whose quotes are not in order: it is `broken`, and
 * comes after `items`.
 */
export function splitItems(text: string): { items: Item[]; broken: boolean } {
  const items: Item[] = [];
  let at = 0;
  for (;;) {
    while (isBlank(text[at])) at++;
    if (text[at] === '"') {
      const quoted = readQuoted(text, at + 1);
      if (quoted === null) return { items, broken: true };
      at = quoted.end;
      while (isBlank(text[at])) at++;
      if (at < text.length && text[at] !== ',') return { items, broken: true };
      items.push({ text: quoted.text.trim(), quoted: true });
    } else {
      const comma = text.indexOf(',', at);
      const end = comma < 0 ? text.length : comma;
      items.push({ text: text.slice(at, end).trim(), quoted: false });
      at = end;
    }
    if (at >= text.length) return { items, broken: false };
    at++;
  }
}

export interface Item {
  text: string;
  quoted: boolean;
}

function readQuoted(text: string, from: number): { text: string; end: number } | null {
  let start = from;
  let read = '';
  for (;;) {
    const quote = text.indexOf('"', start);
    if (quote < 0) return null;
    read += text.slice(start, quote);
    if (text[quote + 1] !== '"') return { text: read, end: quote + 1 };
    read += '"';
    start = quote + 2;
  }
}

const isBlank = (character: string | undefined): boolean =>
  character !== undefined && character.trim() === '';
