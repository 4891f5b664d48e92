import { BASE } from '../../config/price-paths.js';
import { descriptionList } from '../../web/description-list.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import type { ChangeSetRecord } from '../../history/change-sets.js';
import type { ImportReport } from '../../import/pipeline/import-report.dto.js';
import type { RevertCounts } from '../../history/revert/revert-counts.js';
import type { DeskView } from '../layout/desk-page.js';
import { instantOf } from '../layout/instant.js';
import { changeSetTexts as texts } from '../texts/change-sets.js';
import { fact, formatWords, type ImportCounts, reportFacts } from '../upload/report-facts.js';
import { UPLOAD } from '../upload/upload-form.js';
import type { AffectedCounts, ListedSeriesRow, AffectedTable } from './change-set-details.js';
import { CHANGE_SETS } from './change-set-list-page.js';
import { revertFacts, revertNotes } from './revert-counts.js';

/** What the page of a change set is made of. */
interface ChangeSetView {
  readonly changeSet: ChangeSetRecord;
  readonly author: string | null;
  readonly affected: AffectedCounts | null;
  readonly series: readonly ListedSeriesRow[];
  readonly records: readonly AffectedTable[];
  readonly openFindings: number;
  /** The change set that it reverts. */
  readonly reverts: number | null;
  /** Points and records of the one that it reverts, while it is running. */
  readonly size: number | null;
  /** The state of the change set that reverts it; null where there is none. */
  readonly revertState: string | null;
  /** Whether it can be reverted. */
  readonly isRevertible: boolean;
  /** The upload of whose file it is, where that has rejected rows. */
  readonly rejectsOf: string | null;
}

/** What a change set has done, and what can be done about it. */
export function changeSetPage(view: ChangeSetView): DeskView {
  const { changeSet, isRevertible, rejectsOf } = view;
  const { id, state } = changeSet;
  return {
    title: texts.one(id),
    section: CHANGE_SETS,
    main: html`<h1>${texts.one(id)}</h1>
      ${stateNote(view)} ${description(view)} ${counts(view)}
      ${
        rejectsOf === null ? null : html`<p><a href="${UPLOAD}/${rejectsOf}/rejects">${texts.rejects}</a></p>`
      }
      ${
        isRevertible && state !== 'running'
          ? html`<p>
              <a class="button" href="${CHANGE_SETS}/${id}/revert"
                >${view.revertState !== null ? texts.revert.goOn : texts.revert.link}</a
              >
            </p>`
          : null
      }
      ${findings(view)} ${seriesTable(view)} ${recordsTable(view)} ${dataLinks(changeSet)}`,
  };
}

function stateNote({ changeSet, reverts, size, revertState }: ChangeSetView): Html {
  const { state, reverted_by: by } = changeSet;
  const link = (id: number, text: string) => html`<p><a href="${CHANGE_SETS}/${id}">${text}</a></p>`;
  const done = size === null ? null : progressOf(changeSet.counts as RevertCounts | null, size);
  return html`${state === 'running' ? html`<p role="status">${texts.runningNote}</p>` : null} ${done}
  ${state === 'failed' || state === 'interrupted' ? html`<p><strong>${texts.stoppedNote}</strong></p>` : null}
  ${by === null ? null : link(by, (revertState === 'done' ? texts.revertedBy : texts.beingRevertedBy)(by))}
  ${reverts === null ? null : link(reverts, texts.reverts(reverts))}`;
}

/** How far a revert is. @param size points and records of what it reverts */
function progressOf(counts: RevertCounts | null, size: number): Html {
  const sum = (one: { added: number; changed: number; removed: number }) =>
    one.added + one.changed + one.removed;
  const done = counts === null ? 0 : sum(counts.points) + sum(counts.records) + counts.changed_since;
  const text = texts.soFar(wholeNumber(Math.min(done, size)), wholeNumber(size));
  return html`<div id="progress">
    <progress max="${Math.max(size, 1)}" value="${Math.min(done, size)}" aria-label="${text}"></progress>
    <p>${text}</p>
  </div>`;
}

function description({ changeSet, author }: ChangeSetView): Html {
  const { kind, state, started_at, ended_at, input, digest, source, reason } = changeSet;
  const { first_revision: first, last_revision: last } = changeSet;
  return descriptionList([
    [texts.kind, texts.kinds[kind] ?? kind],
    [texts.state, texts.states[state] ?? state],
    [texts.by, author === null ? (state === 'done' ? texts.command : texts.unknown) : nameOf(author)],
    [texts.reason, reason && nameOf(reason)],
    [texts.began, instantOf(started_at)],
    [texts.ended, ended_at && instantOf(ended_at)],
    [texts.file, input && nameOf(input)],
    [texts.format, formatOf(changeSet)],
    [texts.source, source && nameOf(source)],
    [texts.digest, digest],
    [texts.revisions, first === null || last === null ? null : texts.revisionRange(first, last)],
  ]);
}

/** The format, and the version of one that is a stored mapping. */
function formatOf({ format, counts: stored }: ChangeSetRecord): string {
  const { mapping_version: version } = (stored ?? {}) as Partial<Pick<ImportReport, 'mapping_version'>>;
  return formatWords({ format, ...(version === undefined ? {} : { mapping_version: version }) });
}

function counts({ changeSet, affected, records }: ChangeSetView): Html {
  const { kind, counts: stored } = changeSet;
  if (kind === 'import' && stored !== null)
    return html`<h2>${texts.report}</h2>
      ${reportFacts(stored as unknown as ImportCounts)}`;
  if (kind === 'revert' && stored !== null) {
    const reverted = stored as unknown as RevertCounts;
    return html`<h2>${texts.revertReport}</h2>
      ${revertFacts(reverted)} ${revertNotes(reverted)}`;
  }
  const { added = 0, changed = 0, removed = 0, series = 0 } = affected ?? {};
  const ofRecords = records.reduce((sum, one) => sum + one.created + one.changed + one.removed, 0);
  return html`<ul class="facts">
    ${fact(`${texts.points} ${texts.added}`, added)} ${fact(`${texts.points} ${texts.changed}`, changed)}
    ${fact(`${texts.points} ${texts.removed}`, removed)} ${fact(texts.seriesAffected, series)}
    ${fact(texts.recordsAffected, ofRecords)}
  </ul>`;
}

function findings({ changeSet: { id }, openFindings }: ChangeSetView): Html {
  const filter = `change_set_id=${id}`;
  return html`<h2>${texts.findings}</h2>
    ${
      openFindings === 0
        ? html`<p>${texts.noFindings}</p>`
        : html`<p>
            <strong>${texts.findingCount(wholeNumber(openFindings))}</strong>
            <a class="button" href="/desk/findings/next?${filter}">${texts.goThrough}</a>
            <a href="/desk/findings?${filter}">${texts.listFindings}</a>
          </p>`
    }`;
}

function seriesTable({ series, affected }: ChangeSetView): Html | null {
  if (series.length === 0) return null;
  const columns = [
    textColumn(texts.series),
    ...[texts.added, texts.changed, texts.removed].map((which) => numberColumn(`${texts.points} ${which}`)),
  ];
  const rows = series.map(({ uuid, commodity, market, added, changed, removed }) => [
    uuid === null
      ? texts.gone
      : html`<a href="/desk/series/${uuid}">${nameOf(commodity ?? '')}, ${nameOf(market ?? '')}</a>`,
    wholeNumber(added),
    wholeNumber(changed),
    wholeNumber(removed),
  ]);
  const note = texts.seriesNote(wholeNumber(series.length), wholeNumber(affected?.series ?? series.length));
  return html`<h2>${texts.series}</h2>
    ${table(note, columns, rows)}`;
}

function recordsTable({ records }: ChangeSetView): Html | null {
  if (records.length === 0) return null;
  const columns = [
    textColumn(texts.table),
    ...[texts.created, texts.changed, texts.removed].map((which) => numberColumn(capitalised(which))),
  ];
  const rows = records.map(({ table: name, created, changed, removed }) => [
    name,
    wholeNumber(created),
    wholeNumber(changed),
    wholeNumber(removed),
  ]);
  return html`<h2>${texts.records}</h2>
    ${table(texts.recordsNote, columns, rows)}`;
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const dataLinks = ({ id }: ChangeSetRecord): Html =>
  html`<p class="muted">${texts.asData}: <a href="/${BASE}/ChangeSet/${id}/">JSON</a></p>`;
