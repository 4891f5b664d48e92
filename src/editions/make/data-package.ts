import type { ColumnType } from '../../platform/formats/listing.js';
import { SAMPLE_NOTICE, SAMPLE_SOURCE } from '../../price-series/sample-source.js';
import { compareText } from './compare-text.js';
import { PRICE_COLUMNS, RATE_COLUMNS, SERIES_COLUMNS, type EditionColumn } from './columns.js';
import type { FileRecord } from './edition-file.js';
import type { EditionSeriesValues } from './edition-series.js';

/** A source of the prices in an edition. */
export interface EditionSourceRecord {
  readonly name: string;
  readonly url: string;
  readonly license: string;
}

/** The sources of series, each once. */
export function sourcesOf(series: Iterable<Readonly<EditionSeriesValues>>): EditionSourceRecord[] {
  const sources = new Map<string, EditionSourceRecord>();
  for (const { source: name, source_url: url, source_license: license } of series)
    sources.set(name, { name, url, license });
  return [...sources.values()].sort((one, other) => compareText(one.name, other.name));
}

/** Whether the invented prices of the sample are among those of an edition. */
export const isOfSample = (sources: readonly EditionSourceRecord[]): boolean =>
  sources.some(({ name }) => name === SAMPLE_SOURCE);

const FIELD_TYPES: Readonly<Record<ColumnType, string>> = {
  string: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
};

/** What each data file has in it. */
const RESOURCES: Readonly<
  Record<string, { format: string; mediatype: string; columns: readonly EditionColumn[] }>
> = {
  'prices.parquet': {
    format: 'parquet',
    mediatype: 'application/vnd.apache.parquet',
    columns: PRICE_COLUMNS,
  },
  'prices.csv.gz': { format: 'csv', mediatype: 'application/gzip', columns: PRICE_COLUMNS },
  'series.parquet': {
    format: 'parquet',
    mediatype: 'application/vnd.apache.parquet',
    columns: SERIES_COLUMNS,
  },
  'rates.parquet': { format: 'parquet', mediatype: 'application/vnd.apache.parquet', columns: RATE_COLUMNS },
};

/** `datapackage.json`: the files by the Data Package standard of Frictionless Data. */
export function dataPackage(
  title: string,
  files: readonly FileRecord[],
  sources: readonly EditionSourceRecord[],
): string {
  const licenses = [...new Set(sources.map(({ license }) => license))].filter((license) => license !== '');
  const description = {
    $schema: 'https://datapackage.org/profiles/2.0/datapackage.json',
    name: `food-prices-${slug(title)}`,
    title: `Food prices, edition ${title}`,
    ...(isOfSample(sources) ? { description: SAMPLE_NOTICE } : {}),
    // The standard wants lists with an item, or none.
    ...(licenses.length === 0 ? {} : { licenses: licenses.sort(compareText).map(toLicense) }),
    ...(sources.length === 0 ? {} : { sources: sources.map(toSource) }),
    resources: files.map(({ name, bytes, sha256 }) => {
      const { format, mediatype, columns } = RESOURCES[name]!;
      return {
        name: slug(name),
        path: name,
        format,
        mediatype,
        ...(name.endsWith('.gz') ? { compression: 'gz', encoding: 'utf-8' } : {}),
        bytes,
        hash: `sha256:${sha256}`,
        schema: {
          fields: columns.map((column) => ({
            name: column.name,
            type: FIELD_TYPES[column.type],
            description: column.description,
          })),
          missingValues: [''],
        },
      };
    }),
  };
  return `${JSON.stringify(description, null, 2)}\n`;
}

const toSource = ({ name, url, license }: EditionSourceRecord) => ({
  title: name,
  ...(isUrl(url) ? { path: url } : {}),
  ...(license === '' ? {} : { license }),
});

/** A licence by its address where it is one, else by its name. */
const toLicense = (license: string) =>
  isUrl(license) ? { path: license } : { name: slug(license), title: license };

const isUrl = (text: string) => /^https?:\/\/\S+$/.test(text);

/** A name of letters, digits, dots and hyphens, as the standard wants it. */
const slug = (text: string) =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^-+|-+$/g, '') || 'untitled';
