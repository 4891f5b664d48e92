import { hidden } from '../../web/form.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { dateOf } from '../../web/numbers.js';
import { table, textColumn } from '../../web/table.js';
import { seriesHeading } from '../../explorer/series/series-names.js';
import { inputField, tokenField } from '../layout/desk-form.js';
import type { DeskView } from '../layout/desk-page.js';
import type { DeskSession } from '../session/desk-session.js';
import { deskSeriesTexts } from '../texts/series.js';
import type { DeskSeriesView } from './desk-series-view.js';
import { fieldName, type PointEdit, type PointTexts, pointTexts, tagOf } from './point-edits.js';
import { deskSeriesAddress, windowOf } from './series-address.js';

const { conflict: texts } = deskSeriesTexts;

/** Prices that were changed while somebody else was editing them: both, and a choice for each. */
export function pointsConflict(
  { series, query }: DeskSeriesView,
  edits: readonly PointEdit[],
  reason: string,
  session: DeskSession,
): DeskView {
  const address = deskSeriesAddress(series.state.uuid, windowOf(query));
  const rows = edits.map((edit) => [
    dateOf(edit.date),
    shown(edit.stored && pointTexts(edit.stored)),
    shown(edit.texts),
    edit.isConflict ? choice(edit) : html`${kept(edit)} ${texts.willSave}`,
  ]);
  const columns = [deskSeriesTexts.date, texts.stored, texts.yours, texts.keep].map(textColumn);
  return {
    title: texts.title,
    section: '/desk/series',
    main: html`<p class="path"><a href="${address}">${seriesHeading(series.entry)}</a></p>
      <h1>${texts.title}</h1>
      <p class="error" role="alert">${texts.explain}</p>
      <form method="post" action="${address}">
        ${tokenField(session)} ${table(deskSeriesTexts.points, columns, rows)}
        ${inputField({ label: deskSeriesTexts.reason, name: 'reason', value: reason })}
        <p><button>${texts.save}</button></p>
      </form>
      <p><a href="${address}">${texts.leave}</a></p>`,
  };
}

function shown(point: PointTexts | null): Html {
  if (point === null) return html`${deskSeriesTexts.removed}`;
  return html`${point.price} ${point.comment === '' ? null : nameOf(point.comment)}`;
}

/** What was sent about a price, against what is stored now. */
const kept = ({ id, texts: sent, stored }: PointEdit): Html =>
  html`${hidden(fieldName('shown', id), tagOf(stored && pointTexts(stored)))}
  ${
    sent === null
      ? hidden(fieldName('remove', id), 'on')
      : html`${hidden(fieldName('price', id), sent.price)} ${hidden(fieldName('comment', id), sent.comment)}`
  }`;

/** Nothing of others is lost unless it is chosen. */
const choice = (edit: PointEdit): Html =>
  html`<fieldset>
    <legend class="visually-hidden">${texts.choose(edit.date)}</legend>
    ${kept(edit)}
    <label class="inline"
      ><input type="radio" name="${fieldName('keep', edit.id)}" value="stored" checked />
      ${texts.stored}</label
    >
    <label class="inline"
      ><input type="radio" name="${fieldName('keep', edit.id)}" value="yours" /> ${texts.yours}</label
    >
  </fieldset>`;
