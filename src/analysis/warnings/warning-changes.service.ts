import { Injectable } from '@nestjs/common';
import { isoFromMonth } from '../../lib/dates/calendar-date.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { ExpectItems } from '../../platform/formats/listing.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { type CountryMonths, countryMonths } from './country-months.js';
import { highShare, type HighChanges, type MonthCounts } from './group-months.js';
import type { ChangedCommodity, PriceWarningChange } from './price-warning-change.js';
import { type WarningGroup, warningGroups } from './warning-groups.js';
import { WarningHistories } from './warning-histories.js';
import type { WarningGroupRequest } from './warning.parameters.js';
import { listedMonths, rowOf, type WarningRow } from './warnings.service.js';

/** The warnings of a group in a month, and how they have changed. */
export interface ComparedWarning extends WarningRow {
  /** As replies show it. */
  readonly change: PriceWarningChange;
}

/** Warnings and how they have changed, all of one state of the data. */
interface WarningChangeList {
  readonly catalogue: CatalogueSnapshot;
  readonly revision: number;
  /** How far the food prices of all countries reach, in the month of the request. */
  readonly reach: CountryMonths;
  /** In the order of `PriceWarning/`. */
  readonly rows: readonly ComparedWarning[];
}

/** Compares how many prices are high with a month and a year before. */
@Injectable()
export class WarningChangesService {
  constructor(private readonly histories: WarningHistories) {}

  /**
   * The groups of `PriceWarning/` in the same months.
   * @param expectItems awaited with the number of series whose prices are read
   * @throws ValidationError for more series than the limit, and a revision that does not exist
   */
  async list(
    request: WarningGroupRequest,
    signal: AbortSignal,
    expectItems: ExpectItems,
  ): Promise<WarningChangeList> {
    const timeSlice = new TimeSlice();
    const found = await this.histories.read(request, signal, expectItems);
    const { catalogue, revision } = found;
    const reach = await countryMonths(catalogue, request.month ?? undefined);
    const rows: ComparedWarning[] = [];
    for (const group of await warningGroups(found, request.grouping, timeSlice)) {
      const { newest, count } = listedMonths(group, { month: request.month, range: null });
      if (count > 0) rows.push(await comparedWarning(catalogue, reach, group, newest, timeSlice));
      await timeSlice.yield();
    }
    return { catalogue, revision, reach, rows };
  }
}

async function comparedWarning(
  catalogue: CatalogueSnapshot,
  reach: CountryMonths,
  group: WarningGroup,
  month: number,
  timeSlice: TimeSlice,
): Promise<ComparedWarning> {
  const { months } = group;
  const row = await rowOf(catalogue, group, month, timeSlice);
  const monthAgo = await months.counts(month - 1, timeSlice);
  const yearAgo = await months.counts(month - 12, timeSlice);
  const { newlyHigh, noLongerHigh }: HighChanges = await months.highChanges(month, month - 1, timeSlice);
  const change = {
    ...row.key,
    month: isoFromMonth(month),
    old: reach.isOld(row.key.iso3_country_code),
    fresh: row.fresh,
    rated: row.rated,
    high: row.high,
    share: shareOf(row),
    rated_1m_ago: monthAgo.rated,
    high_1m_ago: monthAgo.high,
    share_1m_ago: shareOf(monthAgo),
    rated_12m_ago: yearAgo.rated,
    high_12m_ago: yearAgo.high,
    share_12m_ago: shareOf(yearAgo),
    newly_high: newlyHigh.length,
    no_longer_high: noLongerHigh.length,
    newly_high_commodities: commoditiesOf(catalogue, newlyHigh),
    no_longer_high_commodities: commoditiesOf(catalogue, noLongerHigh),
  };
  return { ...row, change };
}

function shareOf(counts: MonthCounts): number | null {
  const share = highShare(counts);
  return share === null ? null : toSignificantDigits(share);
}

/** The commodities of some series: of most series first, then by name and id. */
function commoditiesOf(catalogue: CatalogueSnapshot, rows: readonly number[]): ChangedCommodity[] {
  const byId = new Map<number, ChangedCommodity>();
  for (const row of rows) {
    const { id, name } = catalogue.referenceAt('commodity', row);
    const found = byId.get(id);
    if (found === undefined) byId.set(id, { commodity_id: id, commodity: name, series: 1 });
    else found.series++;
  }
  return [...byId.values()].sort(
    (one, other) =>
      other.series - one.series ||
      Number(one.commodity > other.commodity) - Number(one.commodity < other.commodity) ||
      one.commodity_id - other.commodity_id,
  );
}
