import { monthNumber } from '../../analysis/analysis.parameters.js';
import { html, type Html } from '../../web/html.js';
import { texts } from '../texts.js';
import type { WarningsView } from './warning-views.js';

/**
 * A slider through the months with prices, for a form with a choice named `month`. A script ties it
 * to that choice (`client/month-slider.ts`); without scripts it is not shown, and has no name, so
 * that the form sends the choice alone. Null where there is one month at most.
 */
export function monthSlider({ month, months: { first, last } }: WarningsView): Html | null {
  if (first >= last) return null;
  const value = month === undefined ? last : Math.min(last, Math.max(first, monthNumber(month)));
  const text = month ?? texts.warnings.newestMonths;
  return html`<label class="wide slider"
    ><span>${texts.warnings.throughTime}: <b aria-hidden="true">${text}</b></span
    ><input
      type="range"
      min="${first}"
      max="${last}"
      value="${value}"
      aria-valuetext="${text}"
      data-months="month"
  /></label>`;
}
