import { figure } from '../../web/chart/figure.js';
import { descriptionList } from '../../web/description-list.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { dateOf, exact } from '../../web/numbers.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import { seriesChart } from '../../explorer/series/series-chart.js';
import { seriesHeading, unitText } from '../../explorer/series/series-names.js';
import type { RecordMember } from '../../ledger/findings/finding.js';
import { countryName } from '../../lib/codes/countries.js';
import { isMergeable } from '../../price-series/merging/merged-tables.js';
import type { Finding } from '../../quality/finding.dto.js';
import { harvestAddress, HARVESTS } from '../harvests/harvest-address.js';
import type { DeskView } from '../layout/desk-page.js';
import type { DeskSession } from '../session/desk-session.js';
import { mergeAddress, recordAddress } from '../tables/table-address.js';
import { findingTexts as texts } from '../texts/findings.js';
import { FINDINGS, findingAddress, type GivenFilters, listAddress } from './finding-address.js';
import { findingActions, hasCorrectablePrice, type SentFindingForm } from './finding-actions.js';
import type { FindingView } from './finding-views.js';
import { ruleInWords } from '../../explorer/layout/finding-words.js';
import { detailInWords, harvestOf } from './finding-words.js';

/** What is shown beside the finding. */
export interface FindingPageOptions {
  filters: GivenFilters;
  session: DeskSession;
  /** The form that was not accepted. */
  sent: SentFindingForm | null;
  /** A sentence about what was done before. */
  done: string | null;
}

/** One finding with the prices around it, and what can be done about it. */
export function findingPage(view: FindingView, options: FindingPageOptions): DeskView {
  const { finding, series, neighbours } = view;
  const { filters, done } = options;
  return {
    title: texts.one(finding.id),
    section: FINDINGS,
    main: html`<p class="path"><a href="${listAddress(filters)}">${texts.toList}</a></p>
      ${done === null ? null : html`<p role="status"><strong>${done}</strong></p>`}
      <h1>${series === null ? texts.one(finding.id) : seriesHeading(series.entry)}</h1>
      <p class="found ${finding.severity}">${detailInWords(finding)}</p>
      ${steps(view, filters)} ${facts(finding)} ${chart(view)} ${findingActions(view, options)}
      ${members(view, filters)} ${pricesAround(view)}
      <p class="muted keys">${keysNote(view)} ${texts.position(neighbours.count)}.</p>`,
  };
}

/** The keys that do something on this page. */
function keysNote(view: FindingView): string {
  const { previous, next } = view.neighbours;
  const isOpen = view.finding.state === 'open';
  const { keys } = texts;
  const shown = [
    ...(next === null ? [] : [keys.next]),
    ...(previous === null ? [] : [keys.previous]),
    ...(isOpen && hasCorrectablePrice(view) ? [keys.correct] : []),
    ...(isOpen ? [keys.dismiss] : []),
  ];
  return shown.length === 0 ? '' : keys.all(shown);
}

/** To the findings before and after. */
function steps({ finding, neighbours, series }: FindingView, filters: GivenFilters): Html {
  const link = (id: number | null, text: string, key: string) =>
    id === null
      ? null
      : html`<a href="${findingAddress(id, filters)}" data-key="${key}" aria-keyshortcuts="${key}"
          >${text}</a
        >`;
  return html`<nav class="pages" aria-label="${texts.title}">
    ${link(neighbours.previous, texts.previous, 'k')}
    ${series === null ? null : html`<span class="muted">${texts.one(finding.id)}</span>`}
    ${link(neighbours.next, texts.next, 'j')}
  </nav>`;
}

function facts(finding: Finding): Html {
  const { rule, severity, state, iso3_country_code: country, change_set_id: changeSet, reason } = finding;
  const opened =
    changeSet === null
      ? null
      : html`<a href="/desk/change-sets/${changeSet}">${texts.byChangeSet(changeSet)}</a>`;
  return descriptionList([
    [texts.rule, html`${ruleInWords(rule)} <span class="muted">(${texts.severities[severity]})</span>`],
    [texts.state, texts.states[state]],
    [texts.reason, reason && nameOf(reason)],
    [texts.country, country && nameOf(countryName(country) || country)],
    [texts.date, finding.date && dateOf(finding.date)],
    [texts.value, finding.value === null ? null : exact(finding.value)],
    [texts.expected, finding.expected === null ? null : exact(finding.expected)],
    [texts.openedBy, opened],
    [texts.series, seriesLinks(finding.uuid)],
    [texts.record, tableLink(finding)],
  ]);
}

const seriesLinks = (uuid: string | null) =>
  uuid === null
    ? null
    : html`<a href="/series/${uuid}">${texts.seriesPage}</a> ·
        <a href="/desk/series/${uuid}">${texts.seriesDesk}</a>`;

/** Where that is which a finding about a rate, an index or a harvest is of. */
function tableLink(finding: Finding): Html | null {
  const { scope } = finding;
  const harvest = harvestOf(finding);
  if (harvest !== null) return html`<a href="${harvestAddress(harvest.id)}">${harvest.name}</a>`;
  if (scope === 'harvest') return html`<a href="${HARVESTS}">${texts.harvests}</a>`;
  if (scope !== 'rate' && scope !== 'index') return null;
  const [table, text] = scope === 'rate' ? ['FxRate', texts.tables.rate] : ['Cpi', texts.tables.index];
  return html`<a href="/desk/tables/${table}">${text}</a>`;
}

/** The prices, series or records of a group. */
function members({ finding, focus }: FindingView, filters: GivenFilters): Html | null {
  if (finding.members === null || finding.scope === 'harvest') return null;
  const records = finding.members.filter((member) => 'table' in member);
  if (records.length > 0) return recordMembers(records, finding.state);
  const rows = finding.members
    .filter((member) => 'uuid' in member)
    .map(({ uuid, date, value = null }) => {
      const isShown = focus?.uuid === uuid && focus.date === date;
      const address =
        date === undefined ? `/desk/series/${uuid}` : findingAddress(finding.id, filters, { uuid, at: date });
      return [
        html`<a href="${address}" ${isShown ? html`aria-current="true"` : null}>${uuid}</a>`,
        date === undefined ? '–' : dateOf(date),
        exact(value),
      ];
    });
  const columns = [textColumn(texts.series), textColumn(texts.date), numberColumn(texts.value)];
  return html`<h2>${texts.members}</h2>
    ${table(texts.membersNote, columns, rows)}`;
}

/**
 * The records of a group, each with the page that merges it: into the other one of two. Those of a
 * finding that has ended may be gone.
 */
function recordMembers(records: readonly RecordMember[], state: Finding['state']): Html {
  const named = ({ id, name }: RecordMember) => html`${nameOf(name)} (${id})`;
  if (state === 'corrected' || state === 'gone')
    return html`<h2>${texts.members}</h2>
      ${table(
        texts.formerRecordsNote,
        [textColumn(texts.record)],
        records.map((record) => [named(record)]),
      )}`;
  const rows = records.map((record) => {
    const { table: name, id } = record;
    const other = records.find((each) => each.id !== id);
    return [
      html`<a href="${recordAddress(name, id)}">${named(record)}</a>`,
      isMergeable(name, id)
        ? html`<a href="${mergeAddress(name, id, other?.id)}"
            >${texts.mergeInto} ${other === undefined ? texts.another : named(other)}</a
          >`
        : texts.builtIn,
    ];
  });
  return html`<h2>${texts.members}</h2>
    ${table(texts.recordsNote, [textColumn(texts.record), textColumn(texts.merge)], rows)}`;
}

function chart({ series, focus, point }: FindingView): Html | null {
  if (series === null) return null;
  const drawn = seriesChart(series);
  const others = (drawn.marks ?? []).filter(({ day }) => day !== point?.day);
  const mark =
    point === null || point.nominal === null
      ? []
      : [{ kind: 'finding' as const, day: point.day, value: point.nominal, label: focus!.date }];
  return figure({ ...drawn, marks: [...others, ...mark] });
}

function pricesAround({ series, around, point }: FindingView): Html | null {
  if (series === null || around.length === 0) return null;
  const rows = around.map((row) => [
    dateOf(row.date),
    exact(row.nominal),
    html`${[row.id === point?.id ? texts.here : '', row.flags.join(', '), row.comment].filter((text) => text !== '').join('; ')}`,
  ]);
  const columns = [textColumn(texts.date), numberColumn(unitText(series)), textColumn(texts.remarks)];
  return html`<h2>${texts.around}</h2>
    ${table(texts.aroundNote, columns, rows)}`;
}
