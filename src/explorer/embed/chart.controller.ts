import { Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { NotFound } from '../../platform/errors/api-error.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { infoOf, type RequestInfo } from '../../platform/http/request.js';
import type { ParameterTable, QuerySchema, QueryValues } from '../../platform/validation/query-schema.js';
import { type PictureQuery, pictureQuery } from '../../web/images/picture-query.js';
import type { Chart } from '../../web/chart/chart.js';
import { chartIllustration, type Illustration } from '../../web/images/picture.js';
import { type PathParameters, PictureController } from '../images/picture.controller.js';
import { texts } from '../texts.js';
import { embedReply } from './embed.js';

/** The chart that a page has in a state. */
export interface PageChart<C extends Chart | null = Chart | null> {
  /** Null where it has none. */
  readonly chart: C;
  /** Of the page in the state: path and parameters. */
  readonly address: string;
  /** Licences of the sources; empty where they are not known. */
  readonly licences: string;
  readonly revision: number;
}

/**
 * The chart of a page as files, and in the frames of other sites, to be extended: `class
 * SeriesChartController extends ChartController('series/:uuid', seriesQuery)`.
 * @param path of the page
 * @param schema of the query of the page, which is that of its chart
 */
export function ChartController<T extends ParameterTable>(path: string, schema: QuerySchema<T>) {
  type PageQuery = QueryValues<T>;
  abstract class Controller extends PictureController<PageQuery & PictureQuery>(path, pictureQuery(schema)) {
    /** The chart that a state of the page has. @throws NotFound as the page */
    abstract chart(params: PathParameters, query: PageQuery, info: RequestInfo): Promise<PageChart>;

    @Get(`embed/${path}`)
    async embed(
      @Param() params: PathParameters,
      @RequestQuery(schema) query: PageQuery,
      @Req() request: Request,
    ): Promise<Reply> {
      const info = infoOf(request);
      return embedReply(requireChart(await this.chart(params, query, info)), info);
    }

    async illustration(params: PathParameters, query: PageQuery, info: RequestInfo): Promise<Illustration> {
      const { chart, revision, ...imprint } = requireChart(await this.chart(params, query, info));
      return chartIllustration(chart, revision, imprint);
    }
  }
  return Controller;
}

/** @throws NotFound where the page has no chart in its state */
function requireChart({ chart, ...page }: PageChart): PageChart<Chart> {
  if (chart === null) throw new NotFound(texts.images.noChart);
  return { chart, ...page };
}
