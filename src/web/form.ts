import { html, type Html } from './html.js';

/** A choice of a form. @param options value and text */
export function select(
  label: string,
  name: string,
  chosen: string,
  options: readonly (readonly [value: string, text: string])[],
): Html {
  const items = options.map(
    ([value, text]) => html`<option value="${value}" ${value === chosen ? SELECTED : null}>${text}</option>`,
  );
  return html`<label
    >${label}<select name="${name}">
      ${items}
    </select></label
  >`;
}

const SELECTED = html`selected`;

/** A field of a form. @param type of the HTML element: `search`, `date`, `text` */
export const field = (label: string, name: string, value: string | undefined, type = 'text'): Html =>
  html`<label>${label}<input type="${type}" name="${name}" value="${value ?? ''}" /></label>`;

/** A value that a form keeps. */
export const hidden = (name: string, value: string | undefined): Html | null =>
  value === undefined ? null : html`<input type="hidden" name="${name}" value="${value}" />`;
