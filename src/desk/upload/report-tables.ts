import { html, type Html, type HtmlValue, nameOf } from '../../web/html.js';
import { dateOf, exact, fullNumber, monthText, wholeNumber } from '../../web/numbers.js';
import { longColumn, numberColumn, table, type TableColumn, textColumn } from '../../web/table.js';
import { texts as pageTexts } from '../../explorer/texts.js';
import type { ImportedRow, ImportReport } from '../../import/pipeline/import-report.dto.js';
import { dayFromIso, monthOf } from '../../lib/dates/calendar-date.js';
import { deskTexts } from '../texts.js';
import type { RejectedRow } from '../../import/formats/batch.js';
import { inWordsOfForm } from './option-fields.js';
import { uploadTexts as texts } from '../texts/upload.js';

/** Rejected rows on the page of the report. */
const SHOWN_REJECTS = 20;

/** The rows that a file begins with, in words, as they would be stored. */
export function firstRows({ first_rows: rows = [] }: Partial<Pick<ImportReport, 'first_rows'>>): Html | null {
  if (rows.length === 0) return null;
  const { caption } = texts.rows;
  return html`<section>
    <h2>${texts.rows.title}</h2>
    ${rows[0]!.table === null ? firstPrices(rows, caption(rows.length)) : firstRecords(rows, caption(rows.length))}
  </section>`;
}

function firstPrices(rows: readonly ImportedRow[], caption: string): Html {
  const { line, market, commodity, unit, price, date } = texts.rows;
  const columns = [line, market, commodity, unit].map(textColumn);
  return table(
    caption,
    [...columns, numberColumn(price), textColumn(date)],
    rows.map(({ line: number, values }) => [
      wholeNumber(number),
      // A row may have the uuid of a series that is described elsewhere.
      values.market === undefined ? (values.uuid ?? '') : marketOf(values),
      values.commodity === undefined
        ? ''
        : html`${nameOf(values.commodity)}, ${values.price_type!.toLowerCase()}`,
      nameOf(values.measure_unit ?? ''),
      html`${values.currency ?? ''} ${exact(Number(values.price_value), fullNumber)}`,
      whenOf(values.date!, values.periodicity!),
    ]),
  );
}

const marketOf = ({ market, admin_unit, country_name, iso3_country_code }: ImportedRow['values']): Html => {
  const places = [market!, admin_unit ?? '', country_name ?? iso3_country_code!];
  return html`${places
    .filter((place) => place !== '')
    .map((place, index) => html`${index === 0 ? null : ', '}${nameOf(place)}`)}`;
};

/** The month of a monthly price in words, else its date. */
const whenOf = (date: string, periodicity: string): HtmlValue => {
  const period = pageTexts.period[periodicity as keyof typeof pageTexts.period];
  return periodicity === 'monthly'
    ? html`<time class="nowrap" datetime="${date.slice(0, 7)}"
        >${monthText(monthOf(dayFromIso(date)!))}</time
      >`
    : html`${dateOf(date)} (${period.toLowerCase()})`;
};

function firstRecords(rows: readonly ImportedRow[], caption: string): Html {
  const names = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))];
  return table(
    caption,
    [texts.rows.line, ...names.map(deskTexts.tables.column)].map(textColumn),
    rows.map(({ line, values }) => [wholeNumber(line), ...names.map((name) => nameOf(values[name] ?? ''))]),
  );
}

/** The lists of a report that have something. @param address of the upload */
export const reportTables = (report: ImportReport, address: string): Html =>
  html`${rejects(report, address)} ${findings(report)} ${created(report)} ${superseded(report)}
  ${conflicts(report)} ${replaced(report)}`;

export function rejectsTable(rows: readonly RejectedRow[], caption: string): Html {
  const { line, field, reason, detail } = texts.rejects;
  return table(
    caption,
    [textColumn(line), textColumn(field), textColumn(reason), textColumn(detail)],
    rows.map((row) => [
      wholeNumber(row.line),
      nameOf(row.field),
      row.reason.replaceAll('_', ' '),
      inWordsOfForm(row.detail).text,
    ]),
  );
}

function rejects({ rejects: all, rejected }: ImportReport, address: string): Html | null {
  if (rejected === 0) return null;
  const shown = all.slice(0, SHOWN_REJECTS);
  const caption = texts.rejects.note(wholeNumber(shown.length), wholeNumber(rejected));
  return html`<section>
    <h2>${texts.rejects.title}</h2>
    ${rejectsTable(shown, caption)}
    <p>
      ${shown.length < all.length ? html`<a href="${address}/rejects">${texts.rejects.all}</a> · ` : null}
      <a href="${address}/rejects.csv">${texts.rejects.csv}</a>
    </p>
  </section>`;
}

function findings({ first_findings: first, findings: counts }: ImportReport): Html | null {
  const { title, rule, date, value, expected, detail, severities } = texts.findings;
  const all = Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0);
  const columns = [
    textColumn(rule),
    longColumn(detail),
    textColumn(texts.series),
    textColumn(date),
    numberColumn(value),
    numberColumn(expected),
  ];
  const rows = first.map((one) => [
    html`${one.rule.replaceAll('_', ' ')} (${severities[one.severity] ?? one.severity})`,
    one.detail,
    one.uuid === null ? '–' : html`<a href="/series/${one.uuid}">${one.uuid.slice(0, 8)}</a>`,
    dateOf(one.date),
    exact(one.value),
    exact(one.expected),
  ]);
  return section(title, all, columns, rows);
}

function created({ created_records: records, records: counts }: ImportReport): Html | null {
  const { title, table: heading, name, near } = texts.created;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const columns = [heading, name, near].map(textColumn);
  return section(
    title,
    all,
    columns,
    records.map((one) => [one.table, nameOf(one.name), one.near.map((other) => html`${nameOf(other)} `)]),
  );
}

function superseded({
  superseded_corrections: first,
  corrections_superseded: all,
}: ImportReport): Html | null {
  const { title, what, date, corrected, base, now, removed } = texts.corrections;
  const columns = [
    textColumn(what),
    textColumn(date),
    numberColumn(corrected),
    numberColumn(base),
    numberColumn(now),
  ];
  const rows = first.map((one) => [
    one.uuid === null
      ? `${one.table} ${one.record_id}`
      : html`<a href="/series/${one.uuid}">${one.uuid.slice(0, 8)}</a> ${one.periodicity}`,
    dateOf(one.date),
    one.value === null ? removed : exact(one.value),
    exact(one.base),
    exact(one.source_value),
  ]);
  return section(title, all, columns, rows);
}

function conflicts({ conflicting_attributes: first, attribute_conflicts: all }: ImportReport): Html | null {
  const { title, record, field, stored, given } = texts.conflicts;
  const rows = first.map((one) => [
    `${one.table} ${one.record_id}`,
    one.field,
    nameOf(String(one.stored)),
    nameOf(String(one.given)),
  ]);
  return section(title, all, [record, field, stored, given].map(textColumn), rows);
}

function replaced({ replaced_values: first, replaced: all }: ImportReport): Html | null {
  if (all === 0) return null;
  const { title, column, value, readAs, blank, cells } = texts.replaced;
  const columns = [textColumn(column), textColumn(value), textColumn(readAs), numberColumn(cells)];
  const rows = first.map((one) => [
    one.column,
    nameOf(one.value),
    one.read_as === '' ? blank : nameOf(one.read_as),
    exact(one.cells, wholeNumber),
  ]);
  const shown = first.reduce((sum, one) => sum + one.cells, 0);
  return html`<section>
    <h2>${title}</h2>
    ${table(texts.rejects.note(wholeNumber(shown), wholeNumber(all)), columns, rows)}
  </section>`;
}

function section(
  title: string,
  all: number,
  columns: readonly TableColumn[],
  rows: Parameters<typeof table>[2],
): Html | null {
  if (all === 0) return null;
  const caption = texts.rejects.note(wholeNumber(rows.length), wholeNumber(all));
  return html`<section>
    <h2>${title}</h2>
    ${table(caption, columns, rows)}
  </section>`;
}
