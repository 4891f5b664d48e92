import { addressOf } from '../../web/address.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { dateOf, wholeNumber } from '../../web/numbers.js';
import { numberColumn, table, type TableRow, textColumn } from '../../web/table.js';
import type { ChangeSetRecord } from '../../history/change-sets.js';
import type { Finding } from '../../quality/finding.dto.js';
import type { FindingCount } from '../../quality/finding-counts.js';
import { listAddress } from '../findings/finding-address.js';
import { ruleInWords, ruleMeaning } from '../../explorer/layout/finding-words.js';
import { countBy, detailInWords, type FindingCountries } from '../findings/finding-words.js';
import type { DeskView } from '../layout/desk-page.js';
import { instantOf } from '../layout/instant.js';
import { HARVESTS } from '../harvests/harvest-address.js';
import { HOME } from '../session/return-address.js';
import { deskHomeTexts as texts } from '../texts/home.js';
import { recordAddress } from '../tables/table-address.js';
import { STALE_DAYS, type StaleSource, type UnlicensedSource } from './sources.js';

/** Days for which a failed import is shown. */
export const FAILED_DAYS = 30;

/** What waits for a maintainer. */
interface HomeView {
  /** Of open findings. */
  findings: readonly FindingCount[];
  countries: FindingCountries;
  stale: readonly StaleSource[];
  unlicensed: readonly UnlicensedSource[];
  /** Open findings about harvests. */
  alarms: readonly Finding[];
  failed: readonly ChangeSetRecord[];
}

/** The first page: what is to do. */
export const deskHomePage = ({
  findings,
  countries,
  stale,
  unlicensed,
  alarms,
  failed,
}: HomeView): DeskView => ({
  title: texts.title,
  section: HOME,
  main: html`<h1>${texts.title}</h1>
    ${openFindings(findings, countries)} ${harvests(alarms)} ${failedImports(failed)} ${sources(stale)}
    ${withoutLicense(unlicensed)}`,
});

function openFindings(counts: readonly FindingCount[], countries: FindingCountries): Html {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0)
    return html`<h2>${texts.findings}</h2>
      <p>${texts.noFindings}</p>`;
  const link = (filter: string, value: string, text: string) =>
    html`<a href="${listAddress({ [filter]: value })}">${text}</a>`;
  const rules = countBy(counts, ({ rule }) => rule).map(({ value, count }) => [
    ruleInWords(value, link('rule', value, ruleMeaning(value))),
    wholeNumber(count),
  ]);
  const ofCountries = countries
    .counted(counts)
    .map(({ value, name, count }) => [link('iso3_country_codes', value, name), wholeNumber(count)]);
  const others = countBy(counts, (each) => each.iso3_country_code).find(({ value }) => value === '');
  if (others !== undefined) ofCountries.push([html`${texts.noCountry}`, wholeNumber(others.count)]);
  return html`<h2>${texts.findings}</h2>
    <p>
      <a class="button" href="/desk/findings/next">${texts.toFindings(wholeNumber(total))}</a>
      <a href="/desk/findings">${texts.allFindings}</a>
    </p>
    <div class="columns">
      <div>${countTable(texts.byRule, texts.rule, rules)}</div>
      <div>${countTable(texts.byCountry, texts.country, ofCountries)}</div>
    </div>`;
}

function countTable(caption: string, heading: string, rows: readonly TableRow[]): Html {
  return table(caption, [textColumn(heading), numberColumn(texts.findings)], rows);
}

/** Harvests that have failed, are held or late; null where all is well, or there are none. */
function harvests(alarms: readonly Finding[]): Html | null {
  if (alarms.length === 0) return null;
  const rows = alarms.map((alarm) => [
    html`<a href="/desk/findings/${alarm.id}">${ruleMeaning(alarm.rule)}</a>`,
    detailInWords(alarm),
  ]);
  return html`<h2>${texts.harvests}</h2>
    ${table(texts.harvestsNote, [texts.alarm, texts.detail].map(textColumn), rows)}
    <p><a href="${HARVESTS}">${texts.allHarvests}</a></p>`;
}

function failedImports(failed: readonly ChangeSetRecord[]): Html {
  const rows = failed.map(({ id, kind, state, input, started_at }) => [
    html`<a href="/desk/change-sets/${id}">${id}</a>`,
    instantOf(started_at),
    kind,
    state,
    nameOf(input),
  ]);
  const columns = [texts.changeSet, texts.at, texts.kind, texts.state, texts.input].map(textColumn);
  return html`<h2>${texts.failed}</h2>
    ${
      failed.length === 0
        ? html`<p>${texts.noFailed(FAILED_DAYS)}</p>`
        : table(texts.failedNote(FAILED_DAYS), columns, rows)
    }
    <p><a href="/desk/change-sets">${texts.allFailed}</a></p>`;
}

function sources(stale: readonly StaleSource[]): Html {
  const rows = stale.map(({ id, name, series, newestDate }) => [
    html`<a href="${addressOf('/browse', { sources_ids: id })}">${nameOf(name)}</a>`,
    dateOf(newestDate),
    wholeNumber(series),
  ]);
  const columns = [textColumn(texts.source), textColumn(texts.newest), numberColumn(texts.series)];
  return html`<h2>${texts.stale}</h2>
    ${
      stale.length === 0
        ? html`<p>${texts.noStale(STALE_DAYS)}</p>`
        : table(texts.staleNote(STALE_DAYS), columns, rows)
    }`;
}

/** Null where every source has a licence. */
function withoutLicense(unlicensed: readonly UnlicensedSource[]): Html | null {
  if (unlicensed.length === 0) return null;
  const rows = unlicensed.map(({ id, name, series }) => [
    html`<a href="${recordAddress('Source', id)}">${nameOf(name)}</a>`,
    wholeNumber(series),
  ]);
  return html`<h2>${texts.unlicensed}</h2>
    ${table(texts.unlicensedNote, [textColumn(texts.source), numberColumn(texts.series)], rows)}`;
}
