import { Injectable } from '@nestjs/common';
import { seriesQuery } from '../../explorer/series/series-state.js';
import { type SeriesView, SeriesViews } from '../../explorer/series/series-view.js';
import type { Page } from '../../platform/listing/page.js';
import { choice, one, recordId } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import type { CorrectionRecord } from '../../prices/corrections/correction-list.js';
import { CorrectionsService } from '../../prices/corrections/corrections.service.js';
import type { PointRow } from './point-edits.js';

/** Prices on one page. A form with as many fits into the greatest body that forms may have. */
export const POINTS_PER_PAGE = 50;
/** Corrections that a page lists. */
const MAX_CORRECTIONS = 20;

const SERIES_OUTCOMES = ['saved', 'unchanged', 'added', 'withdrawn', 'joined'] as const;
export type SeriesOutcome = (typeof SERIES_OUTCOMES)[number];

const { periodicity, start_date, end_date, page } = seriesQuery.parameters;

/** What the page of a series shows, and what was done before. */
export const deskSeriesQuery = new QuerySchema(
  {
    periodicity,
    start_date,
    end_date,
    page,
    done: one(choice(SERIES_OUTCOMES), 'What was done before.'),
    change_set: one(recordId, 'The change set of what was done.'),
  },
  { ranges: [['start_date', 'end_date']] },
);
export type DeskSeriesQuery = QueryValues<typeof deskSeriesQuery.parameters>;

/** A series at the desk. */
export interface DeskSeriesView {
  readonly series: SeriesView;
  /** Its id in the database. */
  readonly serieId: number;
  readonly query: DeskSeriesQuery;
  /** Whether its prices are calculated by the service, so that there is nothing to correct. */
  readonly isDerived: boolean;
  /** The corrections in force, newest first. */
  readonly corrections: Page<CorrectionRecord>;
}

/** Reads what the page of a series shows, by the services of the API. */
@Injectable()
export class DeskSeriesViews {
  constructor(
    private readonly views: SeriesViews,
    private readonly corrections: CorrectionsService,
  ) {}

  /** @throws NotFound where there is no such series */
  async read(uuid: string, query: DeskSeriesQuery, signal: AbortSignal): Promise<DeskSeriesView> {
    const { periodicity, start_date, end_date } = query;
    const series = await this.views.read(uuid, { periodicity, start_date, end_date }, signal);
    const { entry, state, catalogue, row } = series;
    const corrections = await this.corrections.page(
      { uuid__in: [state.uuid], state: ['standing'] },
      { page: 1, pageSize: MAX_CORRECTIONS },
    );
    // The finest frequency is stored, even where its source has calculated it.
    const index = entry.periodicity.findIndex(({ period }) => period === state.periodicity);
    const isDerived = index > 0 && entry.periodicity[index]!.calculated === true;
    return { series, serieId: catalogue.idAt(row), query, isDerived, corrections };
  }
}

/** The prices of a series that are shown, by id. */
export const pointRows = ({ series: { rows } }: DeskSeriesView): ReadonlyMap<number, PointRow> =>
  new Map(
    rows.flatMap(({ id, nominal, comment }) =>
      nominal === null ? [] : [[id, { id, price: nominal, comment }] as const],
    ),
  );
