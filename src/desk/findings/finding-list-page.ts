import { field, hidden, select } from '../../web/form.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { dateOf, exact, wholeNumber } from '../../web/numbers.js';
import { pageLinks } from '../../web/paging.js';
import { longColumn, numberColumn, table, textColumn } from '../../web/table.js';
import { FINDING_STATES, SEVERITIES } from '../../ledger/findings/finding.js';
import type { Page } from '../../platform/listing/page.js';
import type { FindingCount } from '../../quality/finding-counts.js';
import type { Finding } from '../../quality/finding.dto.js';
import type { DeskView } from '../layout/desk-page.js';
import { findingTexts as texts } from '../texts/findings.js';
import { FINDINGS, findingAddress, type GivenFilters, listAddress } from './finding-address.js';
import { ruleInWords, ruleMeaning } from '../../explorer/layout/finding-words.js';
import { countBy, detailInWords, type FindingCountries } from './finding-words.js';

/** What the list shows. */
interface FindingListView {
  filters: GivenFilters;
  page: Page<Finding>;
  /** Of the same filters, without those of rule and country. */
  counts: readonly FindingCount[];
  countries: FindingCountries;
  /** A sentence about what was done before. */
  done: string | null;
}

/** The list of findings with its filters. */
export function findingListPage({ filters, page, counts, countries, done }: FindingListView): DeskView {
  const rows = page.items.map((finding) => [
    ruleInWords(
      finding.rule,
      html`<a href="${findingAddress(finding.id, filters)}">${ruleMeaning(finding.rule)}</a>`,
    ),
    finding.iso3_country_code === null ? '–' : nameOf(countries.nameOf(finding.iso3_country_code)),
    finding.date === null ? '–' : dateOf(finding.date),
    exact(finding.value),
    exact(finding.expected),
    detailInWords(finding),
  ]);
  const columns = [
    longColumn(texts.rule),
    textColumn(texts.country),
    textColumn(texts.date),
    numberColumn(texts.value),
    numberColumn(texts.expected),
    longColumn(texts.detail),
  ];
  const lastPage = Math.max(1, Math.ceil(page.count / page.pageSize));
  return {
    title: texts.title,
    section: FINDINGS,
    main: html`<h1>${texts.title}</h1>
      ${done === null ? null : html`<p role="status"><strong>${done}</strong></p>`}
      <p>${texts.explain}</p>
      ${filters.change_set_id === undefined ? null : html`<p>${texts.changeSet(filters.change_set_id)}</p>`}
      ${filterForm(filters, counts, countries)}
      ${
        page.count === 0
          ? html`<p>${texts.none}</p>`
          : html`<p>
                <a class="button" href="${listAddress(filters).replace(FINDINGS, `${FINDINGS}/next`)}"
                  >${texts.begin}</a
                >
              </p>
              ${table(texts.listNote(wholeNumber(page.count)), columns, rows)}
              ${pageLinks(page.page, lastPage, (to) => listAddress(filters, { page: to }))}`
      }`,
  };
}

function filterForm(
  filters: GivenFilters,
  counts: readonly FindingCount[],
  countries: FindingCountries,
): Html {
  const choices = ['rule', 'iso3_country_codes', 'severity', 'state'];
  const kept = Object.entries(filters).filter(([name]) => !choices.includes(name));
  const options = (name: string, values: readonly (readonly [string, string])[]) => {
    const chosen = filters[name] ?? '';
    const isListed = chosen === '' || values.some(([value]) => value === chosen);
    return [['', texts.any] as const, ...values, ...(isListed ? [] : [[chosen, chosen] as const])];
  };
  const counted = (value: string, name: string, count: number) =>
    [value, `${name} (${wholeNumber(count)})`] as const;
  const rules = countBy(counts, ({ rule }) => rule).map(({ value, count }) =>
    counted(value, ruleMeaning(value), count),
  );
  const countryChoices = countries
    .counted(counts)
    .map(({ value, name, count }) => counted(value, name, count));
  const severities = SEVERITIES.map((each) => [each, texts.severities[each]] as const);
  const states = FINDING_STATES.map((each) => [each, texts.states[each]] as const);
  return html`<form class="row" method="get" action="${FINDINGS}">
    ${select(texts.rule, 'rule', filters.rule ?? '', options('rule', rules))}
    ${select(
      texts.country,
      'iso3_country_codes',
      filters.iso3_country_codes ?? '',
      options('iso3_country_codes', countryChoices),
    )}
    ${select(texts.severity, 'severity', filters.severity ?? '', options('severity', severities))}
    ${select(texts.state, 'state', filters.state ?? 'open', states)}
    ${kept.map(([name, value]) =>
      name === 'from' || name === 'to' ? field(name, name, value, 'date') : hidden(name, value),
    )}
    <button>${texts.show}</button>
  </form>`;
}
