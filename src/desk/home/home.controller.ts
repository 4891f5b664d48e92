import { Controller, Get } from '@nestjs/common';
import { ChangeSets } from '../../history/change-sets.js';
import { Clock } from '../../platform/clock/clock.js';
import type { Reply } from '../../platform/http/reply.js';
import { utcDate } from '../../lib/dates/relative-date.js';
import { SeriesCatalogue } from '../../price-series/catalogue/catalogue.js';
import { countriesOf } from '../../price-series/countries/country-list.js';
import { FindingsService } from '../../quality/findings.service.js';
import { HARVEST_RULES } from '../../quality/rules/rule-table.js';
import { FindingCountries } from '../findings/finding-words.js';
import { deskPage } from '../layout/desk-page.js';
import { CurrentSession, type DeskSession } from '../session/desk-session.js';
import { DeskPages } from '../session/desk-pages.js';
import { deskHomePage, FAILED_DAYS } from './home-page.js';
import { sourceColumns, staleSources, unlicensedSources } from './sources.js';

const DAY = 24 * 3600 * 1000;
const MAX_FAILED = 20;
const MAX_ALARMS = 50;

/** The first page of the desk. */
@Controller('desk')
@DeskPages()
export class DeskHomeController {
  constructor(
    private readonly findings: FindingsService,
    private readonly changeSets: ChangeSets,
    private readonly catalogue: SeriesCatalogue,
    private readonly clock: Clock,
  ) {}

  @Get()
  async page(@CurrentSession() session: DeskSession): Promise<Reply> {
    const now = this.clock.now();
    const findings = await this.findings.counts({ state: ['open'] });
    const failed = await this.changeSets.page(
      {
        kind: ['import', 'revert'],
        state: ['failed', 'interrupted'],
        from: utcDate(now - FAILED_DAYS * DAY),
      },
      { page: 1, pageSize: MAX_FAILED },
    );
    const catalogue = await this.catalogue.current();
    const sources = await sourceColumns(catalogue);
    const stale = staleSources(catalogue, sources, now);
    const unlicensed = unlicensedSources(catalogue, sources);
    const countries = new FindingCountries(countriesOf(catalogue));
    const alarms = await this.findings.page(
      { rule: [...HARVEST_RULES], state: ['open'] },
      { page: 1, pageSize: MAX_ALARMS },
    );
    const view = { findings, countries, stale, unlicensed, alarms: alarms.items, failed: failed.items };
    return deskPage(deskHomePage(view), session);
  }
}
