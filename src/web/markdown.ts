import { Marked, type Tokens } from 'marked';
import { TimeSlice } from '../lib/scheduling/time-slice.js';
import { escapeText } from '../lib/text/markup.js';
import { Html, webAddress } from './html.js';

/** A document as a part of a page. */
export interface RenderedMarkdown {
  /** Its first heading, which is not in `html`. */
  readonly title: string;
  readonly html: Html;
  /** Its headings of the second level. */
  readonly sections: readonly { readonly id: string; readonly text: string }[];
}

/**
 * Renders a document of this project. Headings have the ids that GitHub gives them, tables scroll
 * in a box of their own, and HTML in the text is shown as text.
 * @param addressOf the address of what a relative link names; null where it has none, so that the
 * text of the link remains
 */
export async function renderMarkdown(
  source: string,
  addressOf: (target: string) => string | null,
): Promise<RenderedMarkdown> {
  const sections: { id: string; text: string }[] = [];
  const ids = new Map<string, number>();
  let title = '';
  const idOf = (text: string) => {
    const id = headingId(text);
    const times = ids.get(id) ?? 0;
    ids.set(id, times + 1);
    return times === 0 ? id : `${id}-${times}`;
  };
  const marked = new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const content = this.parser.parseInline(tokens);
        const id = idOf(text);
        if (depth === 1) {
          title = plainText(text);
          return '';
        }
        if (depth === 2) sections.push({ id, text: plainText(text) });
        return `<h${depth} id="${escapeText(id)}">${content}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const address = webAddress(href) ?? (/^[a-z][\w+.-]*:|^\/\//i.test(href) ? null : addressOf(href));
        return address === null ? text : `<a href="${escapeText(address)}">${text}</a>`;
      },
      image: ({ text }) => escapeText(text),
      html: ({ text }) => escapeText(text),
      table({ header, rows }) {
        const cells = (row: readonly Tokens.TableCell[], open: (isEmpty: boolean) => string) =>
          row
            .map(({ tokens }) => {
              const content = this.parser.parseInline(tokens);
              const element = open(content === '');
              return `<${element}>${content}</${element.split(' ')[0]}>`;
            })
            .join('');
        // A heading without a text would be read out as one.
        const head = cells(header, (isEmpty) => (isEmpty ? 'td' : 'th scope="col"'));
        const body = rows.map((row) => `<tr>${cells(row, () => 'td')}</tr>`).join('\n');
        return `<div class="scroll" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const timeSlice = new TimeSlice();
  let text = '';
  for (const part of partsOf(source)) {
    await timeSlice.yield();
    text += marked.parse(part, { async: false });
  }
  return { title, html: new Html(text), sections };
}

/** A document divided before its headings: lines of code may begin as these do. */
function partsOf(source: string): string[] {
  const parts: string[] = [];
  let [part, isCode] = ['', false];
  for (const line of source.split(/^/m)) {
    if (line.startsWith('```')) isCode = !isCode;
    if (!isCode && /^#{2,3} /.test(line)) {
      parts.push(part);
      part = '';
    }
    part += line;
  }
  return [...parts, part];
}

/** The id of a heading, as GitHub makes it. */
const headingId = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** A heading without its marks of code and of links. */
const plainText = (heading: string): string =>
  heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '');
