import { field, select } from '../../web/form.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { dateOf, exact } from '../../web/numbers.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import { seriesHeading, seriesTitle } from '../../explorer/series/series-names.js';
import { texts as pageTexts } from '../../explorer/texts.js';
import type { ApiError } from '../../platform/errors/api-error.js';
import type { CorrectionRecord } from '../../prices/corrections/correction-list.js';
import { formErrors, tokenField } from '../layout/desk-form.js';
import type { DeskView } from '../layout/desk-page.js';
import type { DeskSession } from '../session/desk-session.js';
import { deskSeriesTexts as texts } from '../texts/series.js';
import type { DeskSeriesView } from './desk-series-view.js';
import { newPointForm, type SentPoint } from './new-point-form.js';
import { pointsTable, type SentPoints } from './points-table.js';
import { deskSeriesAddress } from './series-address.js';

/** The form of the page that was not accepted, if there is one. */
export interface SentSeries {
  readonly points?: SentPoints;
  readonly added?: SentPoint;
  /** A withdrawal, in which nothing is typed. */
  readonly withdrawn?: { readonly error: ApiError };
}

/** The page of a series: its prices to correct, a missing one to add, corrections in force. */
export function deskSeriesPage(view: DeskSeriesView, sent: SentSeries, session: DeskSession): DeskView {
  const { series, query } = view;
  const { entry, state } = series;
  const title = seriesTitle(entry);
  return {
    title,
    section: '/desk/series',
    main: html`<p class="path"><a href="/desk/series">${texts.title}</a></p>
      <h1>${seriesHeading(entry)}</h1>
      ${query.done === undefined ? null : doneNote(view)}
      <p>
        <a href="/series/${state.uuid}">${texts.public}</a> ·
        <a href="${deskSeriesAddress(state.uuid, {}, '/join')}">${texts.joinLink}</a>
      </p>
      <h2>${texts.points}</h2>
      ${windowForm(view)} ${pointsTable(view, sent.points ?? null, session)}
      ${newPointForm(view, sent.added ?? null, session)} ${formErrors(sent.withdrawn?.error ?? null)}
      ${corrections(view, session)}`,
  };
}

function doneNote({ query: { done, change_set: id } }: DeskSeriesView): Html {
  const link = id === undefined ? null : html`<a href="/desk/change-sets/${id}">${texts.changeSet(id)}</a>`;
  return html`<p role="status"><strong>${texts.done[done!]}</strong> ${link}</p>`;
}

/** The form that chooses which prices are shown. */
function windowForm({ series: { state, entry }, query }: DeskSeriesView): Html | null {
  const periods = entry.periodicity.map(({ period }) => [period, pageTexts.period[period]] as const);
  if (periods.length === 0) return null;
  return html`<form class="row" method="get" action="${deskSeriesAddress(state.uuid)}">
    ${select(texts.frequency, 'periodicity', state.periodicity, periods)}
    ${field(pageTexts.from, 'start_date', query.start_date, 'date')}
    ${field(pageTexts.to, 'end_date', query.end_date, 'date')}
    <button>${texts.show}</button>
  </form>`;
}

/** The corrections in force, each with a form that withdraws it. */
function corrections(
  { series: { state }, corrections: page }: DeskSeriesView,
  session: DeskSession,
): Html | null {
  if (page.count === 0) return null;
  const columns = [
    ...[texts.date, texts.frequency].map(textColumn),
    ...[texts.ours, texts.theirs].map(numberColumn),
    ...[texts.comment, texts.why, texts.made, texts.withdraw].map(textColumn),
  ];
  const rows = page.items.map((correction) => [
    dateOf(correction.date),
    pageTexts.period[correction.periodicity as keyof typeof pageTexts.period],
    correction.value === null ? texts.removed : exact(correction.value, String),
    correction.base === null ? texts.nothingThere : exact(correction.base, String),
    nameOf(correction.comment),
    nameOf(correction.reason),
    html`<a href="/desk/change-sets/${correction.change_set_id}">${correction.change_set_id}</a>`,
    withdrawal(state.uuid, correction, session),
  ]);
  return html`<section>
    <h2>${texts.corrections}</h2>
    ${table(texts.correctionsNote(page.items.length, page.count), columns, rows)}
  </section>`;
}

const withdrawal = (uuid: string, { id, date }: CorrectionRecord, session: DeskSession): Html =>
  html`<form method="post" action="${deskSeriesAddress(uuid, {}, `/corrections/${id}/withdraw`)}">
    ${tokenField(session)} <button aria-label="${texts.withdrawOf(date)}">${texts.withdraw}</button>
  </form>`;
