import { Injectable } from '@nestjs/common';
import { IndicatorCalculation } from '../../analysis/indicators/indicator-calculation.js';
import { INDICATOR_FIELDS, type Observation } from '../../analysis/indicators/indicator-fields.js';
import { DEFAULT_SETTINGS } from '../../analysis/indicators/indicator-settings.js';
import type { MonthlyColumn } from '../../analysis/methods/monthly-column.js';
import { columnsSerializer, priceColumns } from '../../analysis/price-columns.js';
import { dayFromIso, isoFromDay } from '../../lib/dates/calendar-date.js';
import { toSignificantDigits } from '../../lib/numbers/significant-digits.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import {
  MONTHLY,
  PERIOD_NAMES,
  PERIODS,
  type Period,
  type PeriodName,
} from '../../price-series/periodicity.js';
import { entryOf, type SeriesEntry } from '../../price-series/price-serie.view.js';
import { PriceSeriesService } from '../../price-series/price-series.service.js';
import { PricesService } from '../../prices/prices.service.js';
import type { PastState, SeriesPoints } from '../../prices/read/price-loader.js';
import { PointWindow } from '../../prices/read/point-window.js';
import { type PriceSerializer, withFlags } from '../../prices/read/price-serializers.js';
import { pointId } from '../../prices/store/point-id.js';
import type { SeriesReferences } from '../../price-series/catalogue/reference-dictionaries.js';
import type { CorrectionRecord } from '../../prices/corrections/correction-list.js';
import { CorrectionsService } from '../../prices/corrections/corrections.service.js';
import { type ConversionGap, conversionGap } from './conversion-gap.js';
import { headlineOf, type SeriesHeadline } from './series-headline.js';
import { type SeriesOrigin, SeriesOrigins } from './series-origin.js';
import { asOfText, type SeriesPageQuery, type SeriesPageState } from './series-state.js';

/** Corrections that are shown; a series with more is one that its source should replace. */
const MAX_CORRECTIONS = 200;

/** Rows show the comments of points, which calculations do without. */
const remarksSerializer: PriceSerializer = { ...columnsSerializer, valuesOnly: false };

/** A point with its price in each measure, per the unit that is asked for. */
export interface PricedPoint {
  id: number;
  day: number;
  date: string;
  nominal: number | null;
  real: number | null;
  /** The real price, where it is in terms of an earlier base period and therefore not in `real`. */
  otherReal: { readonly base: string; readonly value: number | null } | null;
  usd: number | null;
  comment: string;
  calculated: boolean;
  /** A month that is not over. */
  partial: boolean;
  /** Whether its source calls it provisional. */
  provisional: boolean;
  /** The rules with open findings about it. */
  flags: readonly string[];
  /** What a maintainer's correction overrules: null for a point that the source does not have. */
  correction: { readonly base: number | null } | null;
}

/** What the page of a series is made of, at one state of the data. */
export interface SeriesView {
  state: SeriesPageState;
  entry: SeriesEntry;
  source: SeriesReferences['source'];
  unit: SeriesReferences['measure_unit'];
  /** The base period of the real prices; null where there are none. */
  realBase: string | null;
  /** Those of the dates asked for, newest first. */
  rows: readonly PricedPoint[];
  /** What the page says first, whatever dates are asked for. */
  headline: SeriesHeadline;
  /** What cannot be converted of these prices; null where everything is. */
  gap: ConversionGap | null;
  calculation: IndicatorCalculation;
  /** The indicators of the newest month that is over; null without one. */
  newest: Observation | null;
  /** The months in the measure and unit asked for; null where another frequency is shown. */
  months: MonthlyColumn | null;
  /** Standing corrections, newest first; none where an earlier state is shown. */
  corrections: readonly CorrectionRecord[];
  /** What its source expects after the newest price, of the dates asked for; newest first. */
  forecasts: readonly PricedPoint[];
  /** What its source has observed, estimated or expects of the same goods. */
  ofOtherStatus: readonly SeriesEntry[];
  origin: SeriesOrigin;
  catalogue: CatalogueSnapshot;
  row: number;
  /** The revision of all data that this is the state of. */
  revision: number;
}

/** Loads what the page and the chart of a series show, by the services of the API. */
@Injectable()
export class SeriesViews {
  constructor(
    private readonly series: PriceSeriesService,
    private readonly prices: PricesService,
    private readonly corrections: CorrectionsService,
    private readonly origins: SeriesOrigins,
  ) {}

  /**
   * @throws NotFound where there is no such series
   * @throws ValidationError for a revision that does not exist
   */
  async read(uuid: string, query: SeriesPageQuery, signal: AbortSignal): Promise<SeriesView> {
    const { as_of: asOf, measure = 'nominal' } = query;
    const { entry: known } = await this.series.read(uuid, asOf);
    const period = periodOf(query, known);
    const past = await this.prices.past({ asOf, firstPublished: false });
    const serializer = past === null ? withFlags(remarksSerializer) : remarksSerializer;
    const periods: Period[] = period === MONTHLY ? [MONTHLY] : [period, MONTHLY];
    const loaded = await this.prices.read(uuid, new PointWindow(periods), serializer, past, signal);
    const points = loaded.points(0);
    const { catalogue, row, conversionFactor, conversion } = points.context;
    const per = conversionFactor === null ? 'unit' : (query.per ?? 'unit');
    const columns = priceColumns(points, measure, per);
    const month = columns.nominal.lastValue();
    const calculation = new IndicatorCalculation(columns, { ...DEFAULT_SETTINGS, measure, per });
    const { revision } = loaded.snapshot;
    const corrections = past === null ? await this.standingCorrections(catalogue.uuidAt(row)) : [];
    const factor = per === 'base' ? conversionFactor! : null;
    const all = rowsOf(points, period, factor, corrections);
    const rows = within(all, query);
    const ofOtherStatus = await this.series.ofOtherStatus(catalogue, row);
    const expected = await this.readForecasts(ofOtherStatus, period, factor, past, signal);
    return {
      state: {
        uuid: catalogue.uuidAt(row),
        periodicity: PERIOD_NAMES[period],
        measure,
        per,
        scale: query.scale ?? 'linear',
        startDate: query.start_date,
        endDate: query.end_date,
        asOf: asOfText(asOf),
      },
      entry: entryOf(catalogue, row),
      source: catalogue.referenceAt('source', row),
      unit: catalogue.referenceAt('measure_unit', row),
      realBase: conversion.base,
      rows,
      headline: headlineOf(all, measure, columns.measured, calculation),
      gap: conversionGap(rows, measure, conversion),
      calculation,
      newest: month === null ? null : calculation.observation(month, INDICATOR_FIELDS),
      months: period === MONTHLY ? columns.measured : null,
      corrections,
      forecasts: within(expected, query).filter(({ day }) => day > (all[0]?.day ?? 0)),
      ofOtherStatus,
      origin: await this.origins.read(catalogue.idAt(row), revision),
      catalogue,
      row,
      revision,
    };
  }

  /** The forecasts among series of the same goods. @param factor as of `rowsOf` */
  private async readForecasts(
    series: readonly SeriesEntry[],
    period: Period,
    factor: number | null,
    past: PastState | null,
    signal: AbortSignal,
  ): Promise<readonly PricedPoint[]> {
    const found = series.find(({ status }) => status === 'forecast');
    if (found === undefined) return [];
    const loaded = await this.prices.read(
      found.uuid,
      new PointWindow([period]),
      columnsSerializer,
      past,
      signal,
    );
    return rowsOf(loaded.points(0), period, factor, []);
  }

  private async standingCorrections(uuid: string): Promise<readonly CorrectionRecord[]> {
    const filters = { uuid__in: [uuid], state: ['standing' as const] };
    return (await this.corrections.page(filters, { page: 1, pageSize: MAX_CORRECTIONS })).items;
  }
}

/** The frequency that is shown where none is asked for: the coarsest that the series has. */
export const defaultPeriodicity = ({ periodicity }: SeriesEntry): PeriodName =>
  periodicity.at(-1)?.period ?? PERIOD_NAMES[MONTHLY];

function periodOf({ periodicity }: SeriesPageQuery, entry: SeriesEntry): Period {
  const name = periodicity ?? defaultPeriodicity(entry);
  return PERIODS.find((period) => PERIOD_NAMES[period] === name) ?? MONTHLY;
}

/** @param factor price × factor is the price asked for; null for the published unit */
function rowsOf(
  { points, context: { conversion, serieId, flags } }: SeriesPoints,
  period: Period,
  factor: number | null,
  corrections: readonly CorrectionRecord[],
): PricedPoint[] {
  const corrected = new Map(
    corrections
      .filter(({ periodicity }) => periodicity === PERIOD_NAMES[period])
      .map(({ date, base }) => [date, base]),
  );
  const served = points[PERIODS.indexOf(period)]!;
  const shown = (value: number | null) =>
    value === null ? null : toSignificantDigits(factor === null ? value : value * factor);
  const correctionOf = (date: string) =>
    corrected.has(date) ? { base: shown(corrected.get(date) ?? null) } : null;
  const rows: PricedPoint[] = [];
  for (let index = served.end - 1; index >= served.begin; index--) {
    const day = served.days[index]!;
    const price = served.values[index]!;
    const real = shown(conversion.real(price, period, day));
    const otherBase = conversion.otherBase(period, day);
    rows.push({
      id: pointId(serieId, period, day),
      day,
      date: isoFromDay(day),
      nominal: shown(price),
      real: otherBase === null ? real : null,
      otherReal: otherBase === null ? null : { base: otherBase, value: real },
      usd: shown(conversion.dollar(price, period, day)),
      comment: served.comments?.[index] ?? '',
      calculated: served.calculated,
      partial: served.isPartial(index),
      provisional: served.isProvisional(index),
      flags: served.calculated ? [] : (flags?.of(period, day) ?? []),
      correction: correctionOf(isoFromDay(day)),
    });
  }
  return rows;
}

function within(
  rows: readonly PricedPoint[],
  { start_date, end_date }: SeriesPageQuery,
): readonly PricedPoint[] {
  if (start_date === undefined && end_date === undefined) return rows;
  const from = start_date === undefined ? 0 : dayFromIso(start_date)!;
  const to = end_date === undefined ? Infinity : dayFromIso(end_date)!;
  return rows.filter(({ day }) => day >= from && day <= to);
}
