/**
 * Splits the value of a list parameter at its commas and trims the items. An item that begins with
 * `"` ends at the next single `"`; `""` inside it is an escaped quote. Splitting stops at the first
 * item with unbalanced quotes: `items` holds those before it, and `malformed` is true.
 */
export function splitItems(text: string): { items: ListItem[]; malformed: boolean } {
  const items: ListItem[] = [];
  let position = 0;
  for (;;) {
    while (isBlank(text[position])) position++;
    if (text[position] === '"') {
      const quoted = readQuoted(text, position + 1);
      if (quoted === null) return { items, malformed: true };
      position = quoted.end;
      while (isBlank(text[position])) position++;
      if (position < text.length && text[position] !== ',') return { items, malformed: true };
      items.push({ text: quoted.text.trim(), quoted: true });
    } else {
      const comma = text.indexOf(',', position);
      const end = comma < 0 ? text.length : comma;
      items.push({ text: text.slice(position, end).trim(), quoted: false });
      position = end;
    }
    if (position >= text.length) return { items, malformed: false };
    position++;
  }
}

interface ListItem {
  text: string;
  quoted: boolean;
}

function readQuoted(text: string, from: number): { text: string; end: number } | null {
  let start = from;
  let content = '';
  for (;;) {
    const quote = text.indexOf('"', start);
    if (quote < 0) return null;
    content += text.slice(start, quote);
    if (text[quote + 1] !== '"') return { text: content, end: quote + 1 };
    content += '"';
    start = quote + 2;
  }
}

const isBlank = (character: string | undefined): boolean =>
  character !== undefined && character.trim() === '';
