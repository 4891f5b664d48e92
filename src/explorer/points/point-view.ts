import { Injectable } from '@nestjs/common';
import { columnsSerializer } from '../../analysis/price-columns.js';
import { ChangeSets, type ChangeSetRecord } from '../../history/change-sets.js';
import { dayFromIso, isoFromDay } from '../../lib/dates/calendar-date.js';
import { NotFound } from '../../platform/errors/api-error.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import type { SeriesReferences } from '../../price-series/catalogue/reference-dictionaries.js';
import { PERIOD_NAMES, type Period, PERIODS } from '../../price-series/periodicity.js';
import { entryOf, type SeriesEntry } from '../../price-series/price-serie.view.js';
import { CalculatedPoint } from '../../prices/calculated-point.js';
import type { CorrectionRecord } from '../../prices/corrections/correction-list.js';
import { CorrectionsService } from '../../prices/corrections/corrections.service.js';
import { DatapointsService } from '../../prices/datapoints.service.js';
import type { RateBasis } from '../../prices/derive/currency-rates.js';
import type { PointExplanation } from '../../prices/explain/point-explanation.js';
import { type PointVersion, PointVersions } from '../../prices/history/point-versions.js';
import { PricesService } from '../../prices/prices.service.js';
import type { MarkedDatapoint } from '../../prices/read/plain-datapoint.js';
import { PointWindow } from '../../prices/read/point-window.js';
import { pointId } from '../../prices/store/point-id.js';
import type { Finding } from '../../quality/finding.dto.js';
import { FindingsService } from '../../quality/findings.service.js';
import { NoSuchPage } from '../layout/error-page.js';
import { asOfText } from '../series/series-state.js';
import { texts } from '../texts.js';
import { pointAddress, type PointPageQuery, type PointPageState } from './point-state.js';

/** Findings about a series that are looked through for those about the point. */
const MAX_FINDINGS = 200;
/** As many corrections can be made in one change set. */
const MAX_CORRECTIONS = 1000;

/** A point as the API explains it. */
export type ExplainedPoint = MarkedDatapoint & { readonly explain: PointExplanation };

/** What is known of one price of a series. */
export interface PointView {
  readonly state: PointPageState;
  readonly period: Period;
  readonly day: number;
  /** Of the point in the API. */
  readonly id: number;
  readonly entry: SeriesEntry;
  readonly unit: SeriesReferences['measure_unit'];
  readonly source: SeriesReferences['source'];
  /** Null where the price has been removed. */
  readonly point: ExplainedPoint | null;
  /** What its dollars are based on: `unclear` has none. */
  readonly basis: RateBasis | null;
  /** The nearest dates with a price of the frequency. */
  readonly previous: string | null;
  readonly next: string | null;
  /** Newest first; null for a price that is calculated of others and never was stored. */
  readonly versions: readonly PointVersion[] | null;
  /** What has made the versions, by id. */
  readonly changeSets: ReadonlyMap<number, ChangeSetRecord>;
  /** Newest first. */
  readonly corrections: readonly CorrectionRecord[];
  /** What rules have found about it; null where an earlier state is shown. */
  readonly findings: readonly Finding[] | null;
  readonly revision: number;
}

/** Reads what the page of a price shows, by the services of the API. */
@Injectable()
export class PointViews {
  constructor(
    private readonly prices: PricesService,
    private readonly datapoints: DatapointsService,
    private readonly versions: PointVersions,
    private readonly changeSets: ChangeSets,
    private readonly corrections: CorrectionsService,
    private readonly findings: FindingsService,
  ) {}

  /**
   * @throws NotFound where there is no such series
   * @throws NoSuchPage where the address has no frequency or date, with the price of its month, or
   * the series has no price of the date, with the nearest dates
   * @throws ValidationError for a revision that does not exist
   */
  async read(
    uuid: string,
    periodicity: string,
    date: string,
    { as_of: asOf }: PointPageQuery,
    signal: AbortSignal,
  ): Promise<PointView> {
    const period = PERIODS.find((each) => PERIOD_NAMES[each] === periodicity);
    const day = dayFromIso(date);
    if (period === undefined || day === null) throw noSuchDate(uuid, date, asOfText(asOf));
    const priceView = { asOf, firstPublished: false };
    const past = await this.prices.past(priceView);
    const loaded = await this.prices.read(uuid, new PointWindow([period]), columnsSerializer, past, signal);
    const { context, points } = loaded.points(0);
    const { catalogue, row, serieId, conversion } = context;
    const state = {
      uuid: catalogue.uuidAt(row),
      periodicity: PERIOD_NAMES[period],
      date,
      asOf: asOfText(asOf),
    };
    const served = points[PERIODS.indexOf(period)]!;
    const days = Array.from(served.days.slice(served.begin, served.end));
    const [previous, next] = neighbours(days, day);
    const index = days.indexOf(day);
    const id = pointId(serieId, period, day);
    const point = index < 0 ? null : await this.datapoints.explain(state.uuid, id, priceView, signal);
    const { revision } = point ?? loaded.snapshot;
    const versions = await this.versionsOf(state.uuid, id, revision, signal);
    if (point === null && versions?.length === 0) throw noSuchPoint(state, [previous, next]);
    const changeSetIds = [...new Set((versions ?? []).map(({ change_set_id }) => change_set_id))];
    return {
      state,
      period,
      day,
      id,
      ...namesOf(catalogue, row),
      point: point && (JSON.parse(String(point.json)) as ExplainedPoint),
      basis: index < 0 ? null : conversion.rateBasis(served.values[served.begin + index]!, period, day),
      previous,
      next,
      versions,
      changeSets: new Map(
        await Promise.all(
          changeSetIds.map(async (each) => [each, await this.changeSets.read(each)] as const),
        ),
      ),
      corrections: await this.correctionsOf(state, changeSetIds),
      findings: past === null ? await this.findingsAbout(state) : null,
      revision,
    };
  }

  private async versionsOf(
    uuid: string,
    id: number,
    revision: number,
    signal: AbortSignal,
  ): Promise<PointVersion[] | null> {
    try {
      const versions = await this.versions.read(uuid, id, signal);
      return versions.filter(({ first_revision }) => first_revision <= revision);
    } catch (error) {
      if (error instanceof CalculatedPoint) return null;
      if (error instanceof NotFound) return [];
      throw error;
    }
  }

  /** @param changeSetIds of the versions: each correction that holds or held made one of them */
  private async correctionsOf(
    { uuid, periodicity, date }: PointPageState,
    changeSetIds: number[],
  ): Promise<CorrectionRecord[]> {
    if (changeSetIds.length === 0) return [];
    const filters = { uuid__in: [uuid], change_set_id: changeSetIds };
    const { items } = await this.corrections.page(filters, { page: 1, pageSize: MAX_CORRECTIONS });
    return items.filter((each) => each.periodicity === periodicity && each.date === date);
  }

  private async findingsAbout({ uuid, periodicity, date }: PointPageState): Promise<Finding[]> {
    const { items } = await this.findings.page({ uuid__in: [uuid] }, { page: 1, pageSize: MAX_FINDINGS });
    return items.filter(
      (finding) =>
        (finding.periodicity === null || finding.periodicity === periodicity) &&
        (finding.members === null
          ? finding.date === date
          : finding.members.some(
              (member) => 'uuid' in member && member.uuid === uuid && member.date === date,
            )),
    );
  }
}

const namesOf = (catalogue: CatalogueSnapshot, row: number) => ({
  entry: entryOf(catalogue, row),
  unit: catalogue.referenceAt('measure_unit', row),
  source: catalogue.referenceAt('source', row),
});

/** The nearest dates before and after a day. @param days in order */
function neighbours(days: readonly number[], day: number): [previous: string | null, next: string | null] {
  const after = days.findIndex((each) => each > day);
  const before = (after < 0 ? days : days.slice(0, after)).findLast((each) => each < day);
  return [before === undefined ? null : isoFromDay(before), after < 0 ? null : isoFromDay(days[after]!)];
}

/** A month without its day has the monthly price of its first one. */
function noSuchDate(uuid: string, date: string, asOf: string | undefined): NoSuchPage {
  const { noDate, ofDate, series } = texts.points;
  const [, year, month] = /^(\d{4})-(\d{1,2})(?:-|$)/.exec(date) ?? [];
  const first = `${year}-${month?.padStart(2, '0')}-01`;
  const near = [[`/series/${encodeURIComponent(uuid)}`, series] as const];
  if (dayFromIso(first) === null) return new NoSuchPage(noDate, near);
  const address = pointAddress({ uuid: encodeURIComponent(uuid), periodicity: 'monthly', date: first, asOf });
  return new NoSuchPage(noDate, [[address, ofDate(first)] as const, ...near]);
}

function noSuchPoint(state: PointPageState, nearest: readonly (string | null)[]): NoSuchPage {
  const { periodicity, date } = state;
  const { noPoint, ofDate, series } = texts.points;
  return new NoSuchPage(noPoint[periodicity](date), [
    ...nearest.flatMap((each) =>
      each === null ? [] : [[pointAddress({ ...state, date: each }), ofDate(each)] as const],
    ),
    [`/series/${state.uuid}`, series] as const,
  ]);
}
