import { Controller, Get, Req } from '@nestjs/common';
import type { Request } from 'express';
import { BASE } from '../../config/price-paths.js';
import { infoOf } from '../../platform/http/request.js';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { noParameters } from '../../platform/validation/query-schema.js';
import { Editions } from '../../editions/editions.js';
import { FindingsService } from '../../quality/findings.service.js';
import { RULES } from '../../quality/rules/rule-table.js';
import { FacetsService } from '../../price-series/facets/facets.service.js';
import { SeriesCatalogue } from '../../price-series/catalogue/catalogue.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { addressOf } from '../../web/address.js';
import { apiCalls } from '../layout/api-calls.js';
import { type DataFormat, dataList, SERIES_CODES } from '../layout/data-section.js';
import { datasetBlock } from '../layout/dataset.js';
import { html, type Html, nameOf, webAddress } from '../../web/html.js';
import { wholeNumber } from '../../web/numbers.js';
import { pageReply } from '../layout/page.js';
import { longColumn, numberColumn, table, textColumn } from '../../web/table.js';
import { texts } from '../texts.js';
import { editionsSection } from './editions-section.js';

/** The lists that can be downloaded as a whole. */
const DOWNLOADS = [
  ['PriceSeriePrice', texts.data.prices],
  ['PriceSerie', texts.data.series],
  ['PriceSerieIndicator', texts.data.indicators],
  ['FxRate', texts.data.rates],
  ['Cpi', texts.data.indices],
  ['Finding', texts.findings],
] as const;

/**
 * The page about the data: downloads, editions, sources with their licences, how to cite. It is not
 * in the page cache, because an edition makes no revision of the data, and is to show at once.
 */
@Controller('data')
@ExplorerPages('uncached')
export class DataPageController {
  constructor(
    private readonly catalogue: SeriesCatalogue,
    private readonly facets: FacetsService,
    private readonly findings: FindingsService,
    private readonly editions: Editions,
  ) {}

  @Get()
  async page(@RequestQuery(noParameters) _: object, @Req() request: Request): Promise<Reply> {
    const info = infoOf(request);
    const { counts, revision } = await this.facets.count({}, undefined);
    const { records } = (await this.catalogue.current()).dictionaries.of('source');
    const published = counts.facets.sources_ids.map(({ value, name, count }) => {
      const { url = '', license = '' } = records.find(({ id }) => id === value) ?? {};
      return { name, count, license, link: webAddress(url) };
    });
    const sources = published.map(({ name, count, license, link }) => {
      const licenseLink = webAddress(license);
      return [
        link === null ? nameOf(name) : html`<a href="${link}">${nameOf(name)}</a>`,
        wholeNumber(count),
        licenseLink === null
          ? nameOf(license || texts.unknown)
          : html`<a href="${licenseLink}">${license}</a>`,
      ];
    });
    const downloads = DOWNLOADS.map(([list, label]) => ({
      label,
      address: listAddress(list),
      formats: ['csv', 'parquet', 'ndjson'] as const,
    }));
    const editions = await this.editions.listAvailable();
    const all =
      editions.length === 0 ? [] : [{ label: texts.data.allEditions, address: listAddress('Edition') }];
    const columns = [textColumn(texts.source), numberColumn(texts.series), textColumn(texts.license)];
    return pageReply(
      {
        title: texts.data.title,
        description: texts.data.description,
        address: '/data',
        ...(counts.count === 0
          ? {}
          : {
              head: datasetBlock(
                {
                  name: texts.data.dataset,
                  description: texts.data.datasetDescription(counts.count),
                  address: '/data',
                  links: DOWNLOADS.map(([list, label]) => ({ label, address: listAddress(list) })),
                },
                info.origin,
                {
                  creator: published.map(({ name, link }) => ({
                    '@type': 'Organization',
                    name,
                    ...(link === null ? {} : { url: link }),
                  })),
                },
              ),
            }),
        main: html`<h1>${texts.data.title}</h1>
          <p>${texts.data.description}</p>
          <h2>${texts.data.downloads}</h2>
          ${dataList([...downloads, ...all])}
          <p><a href="/docs">${texts.data.docs}</a></p>
          ${editionsSection(editions, info)}
          <h2>${texts.data.cite}</h2>
          <p>${texts.data.citeHow}</p>
          <h2>${texts.data.sources}</h2>
          ${
            sources.length === 0
              ? html`<p>${texts.home.empty}</p>`
              : table(texts.data.sourcesNote, columns, sources)
          }
          <p><a href="/releases">${texts.releases.link}</a></p>
          ${await this.quality()}
          <h2>${texts.asData}</h2>
          ${apiCalls(info.origin, [{ address: listAddress('PriceSerie'), codes: SERIES_CODES }])}`,
      },
      info,
      revision,
    );
  }

  /** How much the rules have found in the data; null where nothing is open. */
  private async quality(): Promise<Html | null> {
    const counts = new Map<string, number>();
    for (const { rule, count } of await this.findings.counts({ state: ['open'] }))
      counts.set(rule, (counts.get(rule) ?? 0) + count);
    if (counts.size === 0) return null;
    const rows = Object.entries(RULES).flatMap(([rule, { severity, description, thresholds }]) => {
      const count = counts.get(rule);
      return count === undefined
        ? []
        : [[rule, severity, wholeNumber(count), withValues(description, thresholds)]];
    });
    const columns = [
      textColumn(texts.data.rule),
      textColumn(texts.data.severity),
      numberColumn(texts.data.openFindings),
      longColumn(texts.data.ruleMeaning),
    ];
    return html`<h2>${texts.data.quality}</h2>
      ${table(texts.findingsNote, columns, rows)}`;
  }
}

/** A text in which names stand between backticks: thresholds are shown by their values. */
const withValues = (text: string, thresholds: Readonly<Record<string, number>>): Html =>
  html`${text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part : (thresholds[part] ?? html`<code>${part}</code>`)))}`;

const listAddress = (list: string) => (format?: DataFormat) => addressOf(`/${BASE}/${list}/`, { format });
