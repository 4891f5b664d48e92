import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import type { SeriesReferences } from '../../price-series/catalogue/reference-dictionaries.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { texts } from '../texts.js';

/** Sources that a page and a citation name; of more, the number. */
const MAX_NAMED = 5;

/**
 * The licences of the sources of series, each once; those that are not known are left out.
 * @param rows of the catalogue
 */
export function licencesOf(catalogue: CatalogueSnapshot, rows: Iterable<number>): string {
  const licences = sourcesOf(catalogue, rows).map(({ license }) => license);
  return [...new Set(licences.filter((licence) => licence !== ''))].join('; ');
}

/** Who has published the prices of series, as in "published by A, B". */
export function publishedBy(catalogue: CatalogueSnapshot, rows: Iterable<number>): string {
  const names = sourcesOf(catalogue, rows)
    .map(({ name }) => name)
    .sort((one, other) => one.localeCompare(other, 'en'));
  const rest = names.length - MAX_NAMED;
  return texts.byPublishers(names.slice(0, MAX_NAMED), Math.max(0, rest));
}

/** The same as a sentence. */
export function publishersLine(catalogue: CatalogueSnapshot, rows: Iterable<number>): Html {
  const text = publishedBy(catalogue, rows);
  return html`<span class="muted">${nameOf(`${text[0]!.toUpperCase()}${text.slice(1)}.`)}</span>`;
}

function sourcesOf(catalogue: CatalogueSnapshot, rows: Iterable<number>): SeriesReferences['source'][] {
  const column = catalogue.columns.source;
  const sources = new Map<number, number>();
  for (const row of rows) if (!sources.has(column[row]!)) sources.set(column[row]!, row);
  return [...sources.values()].map((row) => catalogue.referenceAt('source', row));
}
