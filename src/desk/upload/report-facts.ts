import { descriptionList } from '../../web/description-list.js';
import { html, type Html } from '../../web/html.js';
import { exact, wholeNumber } from '../../web/numbers.js';
import { countryWords } from '../../lib/codes/countries.js';
import type { ImportReport } from '../../import/pipeline/import-report.dto.js';
import { COUNT_MEANINGS, SKIP_REASONS } from '../../import/pipeline/report-words.js';
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
  Partial<
    Pick<
      ImportReport,
      | 'backdated'
      | 'countries'
      | 'dry_run'
      | 'error'
      | 'hs_codes_kept'
      | 'inverted'
      | 'kept_other_source'
      | 'older_than_stored'
      | 'replaced'
      | 'rounded'
    >
  >;

/** The format of an import, with the version of a stored mapping. */
export const formatWords = ({
  format,
  mapping_version: version,
}: Pick<ImportReport, 'format' | 'mapping_version'>): string =>
  version === undefined ? format : texts.version(format, version);

/** A number of a report, what stands below it, and what it means. */
interface ReportFact {
  readonly label: string;
  readonly value: number;
  readonly more?: string;
  readonly meaning?: string;
}

/**
 * What an import did or would do, in numbers: those that are not 0, with what their words mean.
 */
export function reportFacts(counts: ImportCounts): Html {
  const facts = factsOf(counts).filter(({ value, label }) => value > 0 || label === texts.read);
  // An import that was stopped, or is running, has none yet either.
  const isTooLarge = counts.findings === null && counts.dry_run === true && (counts.error ?? null) === null;
  const meanings = [
    ...facts.flatMap(({ label, meaning }) => (meaning === undefined ? [] : [[label, meaning] as const])),
    ...Object.keys(counts.skipped).map(
      (reason) => [`${texts.skipped}: ${wordsOf(reason)}`, SKIP_REASONS[reason] ?? null] as const,
    ),
  ];
  return html`<ul class="facts">
      ${facts.map(({ label, value, more }) => fact(label, value, more))}
      ${
        isTooLarge
          ? html`<li>
              ${texts.findings} <strong>–</strong> <span class="muted">${texts.notComputed}</span>
            </li>`
          : null
      }
    </ul>
    ${meanings.length === 0 ? null : meaningList(meanings)}`;
}

const meaningList = (meanings: readonly (readonly [word: string, meaning: string | null])[]) =>
  html`<details>
    <summary>${texts.meanings}</summary>
    ${descriptionList(meanings)}
  </details>`;

function factsOf(counts: ImportCounts): ReportFact[] {
  const { new: added, changed, unchanged, rejected, series, skipped, records } = counts;
  const findings = counts.findings ?? {};
  const count = (name: keyof typeof COUNT_LABELS): ReportFact => ({
    label: texts[COUNT_LABELS[name]],
    value: counts[name] ?? 0,
    meaning: COUNT_MEANINGS[name],
  });
  return [
    { label: texts.read, value: counts.read },
    { label: texts.new, value: added, meaning: texts.means.new },
    { label: texts.changed, value: changed, meaning: texts.means.changed },
    { label: texts.unchanged, value: unchanged, meaning: texts.means.unchanged },
    { label: texts.rejected, value: rejected, meaning: texts.means.rejected },
    {
      label: texts.findings,
      value: sumOf(findings),
      more: namesOf(findings),
      meaning: texts.means.findings,
    },
    { label: texts.skipped, value: sumOf(skipped), more: namesOf(skipped) },
    countriesFact(counts.countries ?? {}),
    { label: texts.series, value: series },
    { label: texts.records, value: sumOf(records), more: namesOf(records) },
    ...(Object.keys(COUNT_LABELS) as (keyof typeof COUNT_LABELS)[]).map(count),
  ];
}

/** The labels of the counts that few imports have. */
const COUNT_LABELS = {
  filled: 'filled',
  attribute_conflicts: 'conflicts',
  corrections_kept: 'kept',
  corrections_confirmed: 'confirmed',
  corrections_superseded: 'superseded',
  kept_other_source: 'otherSource',
  older_than_stored: 'older',
  backdated: 'backdated',
  rounded: 'rounded',
  inverted: 'inverted',
  replaced: 'replaced',
  hs_codes_kept: 'hsCodesKept',
} as const;

/** One number of a page. @param more below it */
export const fact = (label: string, value: number, more = ''): Html =>
  html`<li>
    ${label} <strong>${exact(value, wholeNumber)}</strong>
    ${more === '' ? null : html`<span class="muted">${more}</span>`}
  </li>`;

export const rare = (label: string, value: number, more = ''): Html | null =>
  value === 0 ? null : fact(label, value, more);

/** Countries that are named. */
const MAX_COUNTRIES = 8;

/** The countries of the series, by name: a file may be taken for one of another country. */
function countriesFact(countries: Readonly<Record<string, number>>): ReportFact {
  const codes = Object.keys(countries).sort();
  const named = codes.slice(0, MAX_COUNTRIES).map(countryWords).join(', ');
  const more = codes.length > MAX_COUNTRIES ? `${named}, …` : named;
  return { label: texts.countries, value: codes.length, more };
}

const sumOf = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

const namesOf = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([name, count]) => `${wholeNumber(count)} ${wordsOf(name)}`)
    .join(', ');

const wordsOf = (name: string) => name.replaceAll('_', ' ');
