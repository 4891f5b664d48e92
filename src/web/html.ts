import { escapeLabel, withoutControls } from '../lib/text/direction.js';
import { escapeText } from '../lib/text/markup.js';

/** HTML that is safe to send: what was put into it has been escaped. */
export class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/** What a template accepts: text is escaped; null, undefined and false are left out. */
export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/**
 * Template tag: escapes every value that is not `Html` itself, and keeps names that are written
 * from right to left from turning what stands around them. Attributes have to be quoted, and
 * addresses to begin with a path of this server or to come from `webAddress`.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const { parts, escapes } = templateOf(strings);
  let text = parts[0]!;
  for (let index = 0; index < values.length; index++)
    text += textOf(values[index], escapes[index]!) + parts[index + 1]!;
  return new Html(text);
}

type Escape = (text: string) => string;

/** The fixed parts of a template, and how the text in between is escaped. */
interface Template {
  readonly parts: readonly string[];
  readonly escapes: readonly Escape[];
}

const known = new WeakMap<TemplateStringsArray, Template>();

function templateOf(strings: TemplateStringsArray): Template {
  let template = known.get(strings);
  if (template === undefined) {
    // Without the indentation of the source.
    const parts = strings.map((part) => part.replace(/\n\s*/g, '\n'));
    const escapes = parts.slice(1).map((next, index) => escapeOf(parts.slice(0, index + 1).join(''), next));
    known.set(strings, (template = { parts, escapes }));
  }
  return template;
}

/** Attributes that people read. The others are for programs, and `value` is sent back. */
const READ = ['title', 'aria-label', 'alt', 'content', 'label'];

/** How a text is escaped, by what stands before and after it. */
function escapeOf(before: string, after: string): Escape {
  const attribute = /([\w-]+)="[^"]*$/.exec(before)?.[1];
  const isRead = attribute === undefined ? !after.startsWith('</textarea') : READ.includes(attribute);
  return isRead ? escapeLabel : escapeText;
}

function textOf(value: HtmlValue, escape: Escape): string {
  if (typeof value === 'string') return escape(value);
  if (typeof value === 'number') return String(value);
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) {
    let text = '';
    for (const item of value as readonly HtmlValue[]) text += textOf(item, escape);
    return text;
  }
  return '';
}

/** A name from the data: its own direction of writing does not turn the text around it. */
export const nameOf = (name: string): Html => new Html(`<bdi>${escapeText(withoutControls(name))}</bdi>`);

/** An address from the data if it is one of the web, else null: links run no scripts. */
export const webAddress = (address: string): string | null =>
  /^https?:\/\/[^\s]+$/i.test(address) ? address : null;

/**
 * A value as a JSON-LD block. It holds data and no script, so the policy for scripts does not apply
 * to it; `<` is escaped, so nothing in it ends the block.
 */
export const jsonLd = (value: object): Html =>
  new Html(
    `<script type="application/ld+json">${withoutControls(JSON.stringify(value)).replaceAll('<', '\\u003c')}</script>`,
  );
