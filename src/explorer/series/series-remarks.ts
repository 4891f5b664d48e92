import type { CorrectionRecord } from '../../prices/corrections/correction-list.js';
import type { PeriodName } from '../../price-series/periodicity.js';
import type { RuleName } from '../../quality/rules/rule-table.js';
import type { Finding } from '../../quality/finding.dto.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { columnFormat, dateOf, exact } from '../../web/numbers.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import { pointAddress } from '../points/point-state.js';
import { ruleMeaning, withoutCalls } from '../layout/finding-words.js';
import { texts } from '../texts.js';
import type { SeriesView } from './series-view.js';

/** The open findings about a series; null without any. */
export function findingsSection({ state }: SeriesView, findings: readonly Finding[]): Html | null {
  if (findings.length === 0) return null;
  const dateLink = ({ date, periodicity }: Finding) =>
    date === null
      ? null
      : periodicity === null
        ? dateOf(date)
        : html`<a href="${pointAddress({ ...state, periodicity, date })}">${dateOf(date)}</a>`;
  const items = findings.map(
    (finding) =>
      html`<li>
        ${dateLink(finding)}
        ${texts.points.rules[finding.rule as RuleName] ?? `${ruleMeaning(finding.rule)}.`}
        ${nameOf(withoutCalls(finding.detail))}
        <span class="muted">${finding.rule}</span>
      </li>`,
  );
  return html`<p>${texts.findingsNote}</p>
    <ul class="plain">
      ${items}
    </ul>`;
}

/** The standing corrections of a series, whose periodicity is set; null without any. */
export function correctionTable({ corrections, state }: SeriesView): Html | null {
  if (corrections.length === 0) return null;
  const { seriesPage } = texts;
  const format = columnFormat(corrections.flatMap(({ base, value }) => [base, value]));
  const valueOf = ({ value }: CorrectionRecord) =>
    value === null ? html`${seriesPage.removed}` : exact(value, format);
  const rows = corrections.map((correction) => [
    html`<a href="${pointAddress({ ...state, periodicity: correction.periodicity!, date: correction.date })}"
      >${dateOf(correction.date)}</a
    >`,
    periodText(correction),
    exact(correction.base, format),
    valueOf(correction),
    nameOf(correction.reason),
  ]);
  const columns = [
    textColumn(texts.date),
    textColumn(texts.frequency),
    numberColumn(seriesPage.ofSource),
    numberColumn(seriesPage.corrected),
    textColumn(seriesPage.reason),
  ];
  return table(seriesPage.correctionsNote, columns, rows);
}

const periodText = ({ periodicity }: CorrectionRecord) => texts.period[periodicity as PeriodName];
