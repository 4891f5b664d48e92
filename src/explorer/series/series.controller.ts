import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { infoOf } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { FindingsService } from '../../quality/findings.service.js';
import { ReleasesService } from '../../releases/releases.service.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { monthToday } from '../layout/age.js';
import { pageReply } from '../layout/page.js';
import { seriesPage } from './series-page.js';
import { type SeriesPageQuery, seriesQuery } from './series-state.js';
import { SeriesViews } from './series-view.js';

/** Findings that a page lists. */
const MAX_FINDINGS = 20;

/** The page of a series. */
@Controller('series')
@ExplorerPages()
export class SeriesController {
  constructor(
    private readonly views: SeriesViews,
    private readonly findings: FindingsService,
    private readonly releases: ReleasesService,
  ) {}

  @Get(':uuid')
  async page(
    @Param('uuid') uuid: string,
    @RequestQuery(seriesQuery) query: SeriesPageQuery,
    @Req() request: Request,
  ): Promise<Reply> {
    const info = infoOf(request);
    const view = await this.views.read(uuid, query, info.signal);
    const findings = query.as_of === undefined ? await this.openFindings(view.state.uuid) : null;
    const releases = query.as_of === undefined ? await this.releases.of(view.catalogue, [view.row]) : [];
    const shown = { page: query.page, today: monthToday(info), releases, info };
    return pageReply(seriesPage(view, findings, shown), info, view.revision);
  }

  private async openFindings(uuid: string) {
    const request = { page: 1, pageSize: MAX_FINDINGS };
    return (await this.findings.page({ uuid__in: [uuid], state: ['open'] }, request)).items;
  }
}
