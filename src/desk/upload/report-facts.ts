import { html, type Html } from '../../explorer/layout/html.js';
import { exact, wholeNumber } from '../../explorer/layout/numbers.js';
import type { ImportReport } from '../../import/pipeline/import-report.js';
import { uploadTexts } from '../texts/upload.js';

const texts = uploadTexts.report;

/** The counts of an import as it reports them, or as its change set keeps them. */
export type ImportCounts = Pick<
  ImportReport,
  | 'read'
  | 'new'
  | 'changed'
  | 'unchanged'
  | 'skipped'
  | 'rejected'
  | 'series'
  | 'records'
  | 'filled'
  | 'attribute_conflicts'
  | 'corrections_kept'
  | 'corrections_confirmed'
  | 'corrections_superseded'
  | 'findings'
> &
  Partial<Pick<ImportReport, 'kept_other_source' | 'older_than_stored' | 'rounded'>>;

/** What an import did or would do, in numbers; the rare ones only where they are not 0. */
export function reportFacts(counts: ImportCounts): Html {
  const facts: (Html | null)[] = [
    fact(texts.read, counts.read),
    fact(texts.new, counts.new),
    fact(texts.changed, counts.changed),
    fact(texts.unchanged, counts.unchanged),
    fact(texts.rejected, counts.rejected),
    counts.findings === null
      ? html`<li>${texts.findings} <strong>–</strong> <span class="quiet">${texts.notComputed}</span></li>`
      : fact(texts.findings, sumOf(counts.findings), namesOf(counts.findings)),
    rare(texts.skipped, sumOf(counts.skipped), namesOf(counts.skipped)),
    rare(texts.series, counts.series),
    rare(texts.records, sumOf(counts.records), namesOf(counts.records)),
    rare(texts.filled, counts.filled),
    rare(texts.conflicts, counts.attribute_conflicts),
    rare(texts.kept, counts.corrections_kept),
    rare(texts.confirmed, counts.corrections_confirmed),
    rare(texts.superseded, counts.corrections_superseded),
    rare(texts.otherSource, counts.kept_other_source ?? 0),
    rare(texts.older, counts.older_than_stored ?? 0),
    rare(texts.rounded, counts.rounded ?? 0),
  ];
  return html`<ul class="facts">
    ${facts}
  </ul>`;
}

/** One number of a page. @param more below it */
export const fact = (label: string, value: number, more = ''): Html =>
  html`<li>
    ${label} <strong>${exact(value, wholeNumber)}</strong>
    ${more === '' ? null : html`<span class="quiet">${more}</span>`}
  </li>`;

export const rare = (label: string, value: number, more = ''): Html | null =>
  value === 0 ? null : fact(label, value, more);

const sumOf = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

const namesOf = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([name, count]) => `${wholeNumber(count)} ${name.replaceAll('_', ' ')}`)
    .join(', ');
