import { Injectable } from '@nestjs/common';
import { SeriesViews, type PricedPoint, type SeriesView } from '../../explorer/series/series-view.js';
import { dayFromIso, isoFromDay } from '../../lib/dates/calendar-date.js';
import { NotFound } from '../../platform/errors/api-error.js';
import { type PeriodName, periodNames } from '../../price-series/periodicity.js';
import type { Finding } from '../../quality/finding.dto.js';
import type { FindingFilters } from '../../quality/finding-list.js';
import { type FindingNeighbours, FindingsService } from '../../quality/findings.service.js';

/** Days before and after a price that its chart shows. */
const DAYS_AROUND: Record<PeriodName, number> = { daily: 60, weekly: 300, monthly: 1100 };
/** Rows before and after a price in its table. */
const ROWS_AROUND = 6;

/** The price of a finding that is looked at. */
interface PointFocus {
  uuid: string;
  periodicity: PeriodName;
  date: string;
}

/** What the page of a finding shows. */
export interface FindingView {
  finding: Finding;
  neighbours: FindingNeighbours;
  /** Null for findings that are about no price. */
  focus: PointFocus | null;
  /** The series with the prices around; null where there is none, or not any more. */
  series: SeriesView | null;
  /** The price itself; null where there is none any more. */
  point: PricedPoint | null;
  /** The rows around it, newest first. */
  around: readonly PricedPoint[];
}

/** Loads what the page of a finding shows, by the services of the API. */
@Injectable()
export class FindingViews {
  constructor(
    private readonly findings: FindingsService,
    private readonly series: SeriesViews,
  ) {}

  /**
   * @param filters of the findings that are gone through
   * @param chosen the member that is looked at; the first one without it
   * @throws NotFound
   */
  async read(
    id: number,
    filters: FindingFilters,
    chosen: { uuid?: string; date?: string },
    signal: AbortSignal,
  ): Promise<FindingView> {
    const finding = await this.findings.read(id);
    const neighbours = await this.findings.neighbours(filters, id);
    const focus = focusOf(finding, chosen);
    const uuid = focus?.uuid ?? finding.uuid;
    const series = uuid === null ? null : await this.seriesAround(uuid, focus, signal);
    const at = series?.rows.findIndex(({ date }) => date === focus?.date) ?? -1;
    return {
      finding,
      neighbours,
      focus,
      series,
      point: series?.rows[at] ?? null,
      around: at < 0 ? [] : series!.rows.slice(Math.max(0, at - ROWS_AROUND), at + ROWS_AROUND + 1),
    };
  }

  private async seriesAround(
    uuid: string,
    focus: PointFocus | null,
    signal: AbortSignal,
  ): Promise<SeriesView | null> {
    try {
      return await this.series.read(uuid, focus === null ? {} : windowAround(focus), signal);
    } catch (error) {
      // The series has been removed since, or joined into another one.
      if (error instanceof NotFound) return null;
      throw error;
    }
  }
}

function windowAround({ periodicity, date }: PointFocus) {
  const day = dayFromIso(date)!;
  const days = DAYS_AROUND[periodicity];
  return { periodicity, start_date: isoFromDay(day - days), end_date: isoFromDay(day + days) };
}

/** The price itself, or of a group one of its prices. */
function focusOf(finding: Finding, chosen: { uuid?: string; date?: string }): PointFocus | null {
  const periodicity = periodNames.find((name) => name === finding.periodicity);
  const points = [{ uuid: finding.uuid, date: finding.date }, ...pointsOf(finding)];
  const point =
    points.find(({ uuid, date }) => uuid === chosen.uuid && date === chosen.date) ??
    points.find(({ uuid, date }) => uuid && date);
  if (periodicity === undefined || !point?.uuid || !point.date) return null;
  return { uuid: point.uuid, date: point.date, periodicity };
}

/** The prices among the members of a group. */
const pointsOf = ({ members }: Finding): { uuid: string | null; date: string | null }[] =>
  (members ?? []).flatMap((member) =>
    'uuid' in member && member.date !== undefined ? [{ uuid: member.uuid, date: member.date }] : [],
  );
