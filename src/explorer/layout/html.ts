import { escapeText } from '../../lib/text/markup.js';

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
 * Template tag: escapes every value that is not `Html` itself. Attributes have to be quoted, and
 * addresses to begin with a path of this server or to come from `webAddress`.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const parts = partsOf(strings);
  let text = parts[0]!;
  for (let index = 0; index < values.length; index++) text += textOf(values[index]) + parts[index + 1]!;
  return new Html(text);
}

const known = new WeakMap<TemplateStringsArray, readonly string[]>();

/** The fixed parts of a template without the indentation of the source. */
function partsOf(strings: TemplateStringsArray): readonly string[] {
  let parts = known.get(strings);
  if (parts === undefined) known.set(strings, (parts = strings.map((part) => part.replace(/\n\s*/g, '\n'))));
  return parts;
}

function textOf(value: HtmlValue): string {
  if (typeof value === 'string') return escapeText(value);
  if (typeof value === 'number') return String(value);
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) {
    let text = '';
    for (const item of value as readonly HtmlValue[]) text += textOf(item);
    return text;
  }
  return '';
}

/** A name from the data: its own direction of writing does not turn the text around it. */
export const nameOf = (name: string): Html => html`<bdi>${name}</bdi>`;

/** An address from the data if it is one of the web, else null: links run no scripts. */
export const webAddress = (address: string): string | null =>
  /^https?:\/\/[^\s]+$/i.test(address) ? address : null;

/**
 * A value as a JSON-LD block. It holds data and no script, so the policy for scripts does not apply
 * to it; `<` is escaped, so nothing in it ends the block.
 */
export const jsonLd = (value: object): Html =>
  new Html(`<script type="application/ld+json">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`);
