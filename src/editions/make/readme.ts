import { SAMPLE_NOTICE } from '../../price-series/sample-source.js';
import { type EditionSourceRecord, isOfSample } from './data-package.js';
import type { FileRecord } from './edition-file.js';

/** How to cite an edition, in two lines. @param prices its `prices.parquet` */
export const citation = (title: string, prices: FileRecord): readonly [string, string] => [
  `Price Data Service: Food prices, edition ${title}.`,
  `prices.parquet, SHA-256 ${prices.sha256}.`,
];

/** `README.txt`: what is in the files, how to cite them, and who has published the prices. */
export function readme(
  title: string,
  counts: { series: number; points: number },
  files: readonly FileRecord[],
  sources: readonly EditionSourceRecord[],
): string {
  const prices = files.find(({ name }) => name === 'prices.parquet')!;
  const notice = isOfSample(sources) ? `${SAMPLE_NOTICE}\n\n` : '';
  return `Food prices, edition ${title}

${notice}${counts.points} prices of ${counts.series} series. The files of an edition never change.

prices.parquet    the published prices, in their currency, in US dollars and in real terms
prices.csv.gz     the same as CSV
series.parquet    the price series: market, commodity, source, unit
rates.parquet     the exchange rates and consumer price indices that prices are converted by
datapackage.json  the columns and their types (Frictionless Data Package)
SHA256SUMS        the digests of the files: sha256sum --check SHA256SUMS

Prices that are calculated of others, such as monthly means of weekly prices, are not in the
files. Rows are ordered by series (uuid), periodicity and date. In the CSV, texts that a
spreadsheet would evaluate as a formula have an apostrophe before them.

Real prices are in terms of the base period that index_base names, the newest of the country to
which the index of the month can be linked. Compare those of one base only.

How to cite

  ${citation(title, prices).join('\n  ')}

Name the source of the prices, too, and keep to its licence:

${sources.map(({ name, url, license }) => `  ${[name, url, license].filter((part) => part !== '').join('. ')}`).join('\n')}
`;
}
