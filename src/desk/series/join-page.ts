import { hidden, select } from '../../web/form.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { dateOf } from '../../web/numbers.js';
import { table, textColumn } from '../../web/table.js';
import { seriesHeading } from '../../explorer/series/series-names.js';
import { similarSeries } from '../../explorer/series/similar-series.js';
import { texts as pageTexts } from '../../explorer/texts.js';
import type { OperationResult } from '../../ledger/changes/operation-result.js';
import type { ApiError, Violation } from '../../platform/errors/api-error.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { entryOf, type SeriesEntry } from '../../price-series/price-serie.view.js';
import { PREFERENCES } from '../../price-series/joins/series-joins.js';
import { deskForm, fieldErrors, formErrors, inputField, messagesOf } from '../layout/desk-form.js';
import { daySpan, type Likeness, likenessNotes } from '../layout/likeness.js';
import type { DeskView } from '../layout/desk-page.js';
import type { DeskSession } from '../session/desk-session.js';
import { deskSeriesTexts } from '../texts/series.js';
import { deskSeriesAddress } from './series-address.js';

const { join: texts } = deskSeriesTexts;

/** The fields of a join, as the API has them. */
export const JOIN_FIELDS = ['into', 'factor', 'prefer', 'start_date', 'end_date', 'relabel'] as const;
export type JoinTexts = Readonly<Partial<Record<(typeof JOIN_FIELDS)[number], string>>>;

/** A join that is being prepared. */
interface JoinView {
  readonly catalogue: CatalogueSnapshot;
  /** Of the series that is joined into another one. */
  readonly row: number;
  /** Of the other series; null until one is chosen. */
  readonly intoRow: number | null;
  readonly texts: JoinTexts;
  /** What the join would change; null where that is not known. */
  readonly result: OperationResult | null;
  readonly reason: string;
  readonly error: ApiError | null;
}

/** The page that joins a series: how, then what would change, then the operation. */
export function joinPage(view: JoinView, session: DeskSession): DeskView {
  const { catalogue, row, intoRow, error, texts: sent } = view;
  const entry = entryOf(catalogue, row);
  const address = deskSeriesAddress(entry.uuid, {}, '/join');
  return {
    title: texts.title,
    section: '/desk/series',
    main: html`<p class="path">
        <a href="/desk/series">${deskSeriesTexts.title}</a> ›
        <a href="${deskSeriesAddress(entry.uuid)}">${seriesHeading(entry)}</a>
      </p>
      <h1>${texts.title}</h1>
      <p>${texts.explain}</p>
      ${formErrors(error, JOIN_FIELDS)}
      <form method="get" action="${address}" class="stack">
        ${joinFields(sent, error?.errors ?? [])}
        <div><button>${texts.preview}</button></div>
      </form>
      ${intoRow === null ? null : preview(view, entry, entryOf(catalogue, intoRow), session)}
      ${similarSeries(catalogue, row, [row], (uuid) => `${address}?into=${uuid}`, texts.candidates)}`,
  };
}

function joinFields(sent: JoinTexts, errors: readonly Violation[]): Html {
  const input = (label: string, name: keyof JoinTexts, type = 'text') =>
    inputField({ label, name, value: sent[name] ?? '', type }, errors);
  const prefers = PREFERENCES.map((name) => [name, texts.prefers[name]] as const);
  const relabels = [
    ['', texts.no],
    ['true', texts.yes],
  ] as const;
  return html`${input(texts.into, 'into')} ${input(texts.factor, 'factor')}
    ${select(texts.prefer, 'prefer', sent.prefer ?? '', prefers)} ${input(texts.from, 'start_date', 'date')}
    ${input(texts.to, 'end_date', 'date')}
    <div>
      ${select(texts.relabel, 'relabel', sent.relabel ?? '', relabels)}
      ${fieldErrors('relabel', messagesOf('relabel', errors))}
    </div>`;
}

/** Both series side by side, and what the join would change. */
function preview(view: JoinView, from: SeriesEntry, into: SeriesEntry, session: DeskSession): Html {
  const { result, texts: sent, reason, catalogue } = view;
  const likeness: Likeness = {
    places: from.market_id === into.market_id ? null : [from, into],
    spans: [daySpan(catalogue, [view.row]), daySpan(catalogue, [view.intoRow!])],
  };
  const fields = html`${JOIN_FIELDS.map((name) => hidden(name, sent[name]))}
  ${inputField({ label: deskSeriesTexts.reason, name: 'reason', value: reason }, view.error?.errors)}`;
  const action = deskSeriesAddress(from.uuid, {}, '/join');
  const { added = 0, changed = 0, unchanged = 0 } = result?.counts ?? {};
  const columns = [texts.field, texts.this, texts.other].map((text) => textColumn(text));
  return html`<section>
    <h2>${texts.would}</h2>
    ${table(texts.both, columns, compared(from, into))} ${likenessNotes(likeness)}
    ${
      result === null
        ? null
        : html`<p><strong>${texts.counts(added, changed, unchanged)}</strong></p>
            ${deskForm({ action, fields, submit: texts.submit }, session)}`
    }
  </section>`;
}

function compared(from: SeriesEntry, into: SeriesEntry): (string | Html)[][] {
  const row = (label: string, text: (entry: SeriesEntry) => string | Html) => [label, text(from), text(into)];
  const frequencies = ({ periodicity }: SeriesEntry) =>
    periodicity.map(({ period, start_date }) => `${pageTexts.period[period]} (${start_date})`).join(', ');
  return [
    row(deskSeriesTexts.title, seriesHeading),
    row(
      texts.unit,
      ({ currency, measure_unit }) => html`${currency} ${pageTexts.perAmount} ${nameOf(measure_unit)}`,
    ),
    row(texts.source, ({ source }) => nameOf(source)),
    row(texts.frequencies, frequencies),
    row(texts.newest, ({ last_price_date }) => dateOf(last_price_date)),
  ];
}
