import type { NumberField, Observation } from '../../analysis/indicators/indicator-fields.js';
import { html, type Html, type HtmlValue } from '../../web/html.js';
import { exact, percent, shortNumber } from '../../web/numbers.js';
import { texts } from '../texts.js';
import { unitText } from './series-names.js';
import type { SeriesView } from './series-view.js';

const CHANGES = ['change_1m', 'change_3m', 'change_12m', 'against_mean_5y'] as const satisfies NumberField[];

/** The newest price, how it has changed, and what the indicators make of it. */
export function seriesFacts(view: SeriesView): Html {
  const { rows, newest, state } = view;
  const [row] = rows;
  const price = row?.[state.measure] ?? null;
  const facts: Html[] = [];
  if (row !== undefined)
    facts.push(
      fact(
        texts.newestPrice,
        exact(price),
        html`${unitText(view)}, <span class="nowrap">${row.date}</span>${row.partial && texts.partial}`,
      ),
    );
  if (newest !== null) {
    const month = newest.date.slice(0, 7);
    for (const field of CHANGES)
      facts.push(
        fact(
          texts.fact[field],
          exact(newest[field] ?? null, percent),
          reasonOf(newest, field) ?? texts.ofMonth(month),
        ),
      );
    facts.push(rating('IFPA', newest, 'ifpa', month), rating('ALPS', newest, 'alps', month));
  }
  return html`<ul class="facts">
    ${facts}
  </ul>`;
}

const fact = (label: string, value: Html, note: HtmlValue) =>
  html`<li>${label}<strong>${value}</strong><span class="muted">${note}</span></li>`;

function rating(label: string, newest: Observation, field: 'ifpa' | 'alps', month: string): Html {
  const { value = null, class: rated = null } = newest[field] ?? {};
  if (value === null || rated === null)
    return fact(label, exact(null), reasonOf(newest, field) ?? texts.ofMonth(month));
  const shown = html`<span class="class ${rated}">${texts.classes[rated]}</span>`;
  return fact(
    label,
    html`${shown}`,
    html`${shortNumber(value)}, <span class="nowrap">${texts.ofMonth(month)}</span>`,
  );
}

/** Why there is no value, in words. */
function reasonOf({ reasons }: Observation, field: 'ifpa' | 'alps' | NumberField): string | null {
  const reason = reasons[field];
  return reason === undefined ? null : texts.reason[reason];
}
