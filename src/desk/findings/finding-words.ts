import { html, type Html, nameOf } from '../../web/html.js';
import { countryName } from '../../lib/codes/countries.js';
import type { RecordMember } from '../../ledger/findings/finding.js';
import type { CountryRecord } from '../../price-series/countries/country-list.js';
import type { FindingCount } from '../../quality/finding-counts.js';
import type { Finding } from '../../quality/finding.dto.js';
import { harvestAddress } from '../harvests/harvest-address.js';
import { deskSeriesAddress } from '../series/series-address.js';
import { findingTexts as texts } from '../texts/findings.js';

/** How the text of a finding says that two series would be joined, for callers of the API. */
const JOIN =
  /POST PriceSerie\/([\da-f-]{36})\/merge\/ \{"into":"([\da-f-]{36})"([^{}]*)\} would join them\./g;

/**
 * What was found; a join that would mend it is a link to the page that makes it, and a harvest one
 * to its page.
 */
export function detailInWords(finding: Pick<Finding, 'detail' | 'scope' | 'members'>): Html {
  const { detail } = finding;
  const harvest = harvestOf(finding);
  if (harvest !== null) return withHarvest(detail, harvest);
  const parts: Html[] = [];
  let end = 0;
  for (const { 0: sentence, 1: from, 2: into, 3: others, index } of detail.matchAll(JOIN)) {
    const relabel = others!.includes('"relabel":true') ? 'true' : undefined;
    const address = deskSeriesAddress(from!, { into, relabel }, '/join');
    if (end < index) parts.push(nameOf(detail.slice(end, index)));
    parts.push(html`<a href="${address}">${texts.wouldJoin}</a>.`);
    end = index + sentence.length;
  }
  if (end < detail.length) parts.push(nameOf(detail.slice(end)));
  return html`${parts}`;
}

/** The harvest that a finding is about; null for other findings. */
export const harvestOf = ({ scope, members }: Pick<Finding, 'scope' | 'members'>): RecordMember | null =>
  scope === 'harvest' ? (members?.find((member) => 'table' in member) ?? null) : null;

/** A sentence about a harvest, with its name as a link. */
function withHarvest(detail: string, { id, name }: RecordMember): Html {
  const link = html`<a href="${harvestAddress(id)}">${name}</a>`;
  const [before = '', ...after] = detail.split(` harvest ${name} `);
  if (after.length === 0) return html`${nameOf(detail)} ${link}`;
  return html`${nameOf(`${before} harvest `)}${link}${nameOf(` ${after.join(` harvest ${name} `)}`)}`;
}

/** What countries with prices are called, those with most series first. */
export class FindingCountries {
  private readonly names: ReadonlyMap<string, string>;

  /** @param countries those that have series */
  constructor(countries: readonly CountryRecord[]) {
    const sorted = [...countries].sort((one, other) => other.series - one.series);
    this.names = new Map(
      sorted.map(({ iso3_country_code: code, country_name: name }) => [code, name || code]),
    );
  }

  nameOf(code: string): string {
    return this.names.get(code) ?? (countryName(code) || code);
  }

  /** The counts of the countries with prices, with their names, those with most series first. */
  counted(counts: readonly FindingCount[]): (CountOf & { name: string })[] {
    const sums = new Map(
      countBy(counts, (each) => each.iso3_country_code).map(({ value, count }) => [value, count]),
    );
    return [...this.names].flatMap(([value, name]) => {
      const count = sums.get(value);
      return count === undefined ? [] : [{ value, name, count }];
    });
  }
}

/** A value and the findings that have it. */
interface CountOf {
  value: string;
  count: number;
}

/** The sums of counts by one of their fields, the largest first; '' for those without. */
export function countBy(
  counts: readonly FindingCount[],
  valueOf: (count: FindingCount) => string | null,
): CountOf[] {
  const sums = new Map<string, number>();
  for (const each of counts) {
    const value = valueOf(each) ?? '';
    sums.set(value, (sums.get(value) ?? 0) + each.count);
  }
  return [...sums]
    .map(([value, count]) => ({ value, count }))
    .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
}
