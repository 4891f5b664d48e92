import { html, type Html, nameOf } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import type { Effects, RevertCounts } from '../../history/revert/revert-counts.js';
import { rare } from '../upload/report-facts.js';
import { changeSetTexts } from '../texts/change-sets.js';
import { CHANGE_SETS } from './change-set-list-page.js';

const texts = changeSetTexts.revert;

const effects = ({ added, changed, removed }: Effects) => added + changed + removed;

/** Whether a revert changes nothing. */
export const changesNothing = ({ points, series, records, corrections }: RevertCounts): boolean =>
  effects(points) + effects(series) + effects(records) === 0 &&
  corrections.reopened + corrections.rebased + corrections.ended === 0;

/** What a revert does or did, in numbers. */
export function revertFacts({ points, series, records }: RevertCounts): Html {
  const kinds = ['removed', 'changed', 'added'] as const;
  return html`<ul class="facts">
    ${kinds.map((kind) => rare(texts.points[kind], points[kind]))}
    ${kinds.map((kind) => rare(texts.seriesEffects[kind], series[kind]))}
    ${kinds.map((kind) => rare(texts.recordEffects[kind], records[kind]))}
  </ul>`;
}

/** What a revert leaves, what becomes of corrections, and what is to be imported again. */
export function revertNotes({
  corrections,
  changed_since: since,
  still_used: used,
  later_inputs: later,
}: RevertCounts): Html {
  const note = (count: number, text: (count: string) => string) =>
    count === 0 ? null : html`<li>${text(wholeNumber(count))}</li>`;
  const section = (title: string, notes: readonly (Html | null)[]) =>
    notes.every((one) => one === null)
      ? null
      : html`<h2>${title}</h2>
          <ul>
            ${notes}
          </ul>`;
  const inputs = later.map(
    ({ change_set_id: id, format, input }) =>
      html`<li>
        ${format} ${nameOf(input || texts.stdin)} (<a href="${CHANGE_SETS}/${id}">${changeSetTexts.one(id)}</a
        >)
      </li>`,
  );
  return html`${section(texts.stays, [note(since, texts.changedSince), note(used, texts.stillUsed)])}
  ${section(texts.corrections, [
    note(corrections.reopened, texts.reopened),
    note(corrections.rebased, texts.rebased),
    note(corrections.ended, texts.ended),
  ])}
  ${
    inputs.length === 0
      ? null
      : html`<h2>${texts.later}</h2>
          <p>${texts.laterNote}</p>
          <ol>
            ${inputs}
          </ol>`
  }`;
}
