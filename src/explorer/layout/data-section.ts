import { texts } from '../texts.js';
import type { PageContext } from './page.js';
import { apiCalls } from './api-calls.js';
import { html, type Html, nameOf } from '../../web/html.js';

/** Formats of data behind pages, with their names, in the order of the links. */
const FORMATS = {
  json: 'JSON',
  csv: 'CSV',
  ndjson: 'NDJSON',
  xlsx: 'Excel',
  parquet: 'Parquet',
} as const;
/** Columns of series, and of prices with their series, that have digits and are no numbers. */
export const SERIES_CODES = ['hs_code'];
export type DataFormat = keyof typeof FORMATS;

/** Data behind a page, in the API. */
export interface DataLink {
  label: string;
  /** @param format JSON unless given */
  address(this: void, format?: DataFormat): string;
  /** JSON and CSV unless given; none where `note` says why. */
  formats?: readonly DataFormat[];
  /** Columns of the table that have digits and are no numbers. */
  codes?: readonly string[];
  /** What is to be known before one is opened, such as that it may be too large. */
  note?: string;
}

const USUAL: readonly DataFormat[] = ['json', 'csv'];

/**
 * The same numbers for programs: links, and calls.
 * @param cite a link that shows this state for ever; null where there is none
 */
export const dataSection = (origin: string, links: readonly DataLink[], cite: Html | null = null): Html =>
  html`<section>
    <h2>${texts.asData}</h2>
    ${dataList(links, cite)}
    ${apiCalls(
      origin,
      links.filter(({ formats = USUAL }) => formats.length > 0),
    )}
  </section>`;

/** Data in the formats that they can be had in. */
export const dataList = (links: readonly DataLink[], cite: Html | null = null): Html =>
  html`<ul>
    ${links.map(
      ({ label, address, formats = USUAL, note }) =>
        html`<li>
          ${label}:
          ${formats.map(
            (format, index) =>
              html`${index === 0 ? null : ' · '}<a href="${address(format === 'json' ? undefined : format)}"
                  >${FORMATS[format]}</a
                >`,
          )}
          ${note === undefined ? null : html`<span class="muted">${note}</span>`}
        </li>`,
    )}
    ${cite === null ? null : html`<li>${cite}</li>`}
  </ul>`;

/**
 * A link to a state, and how to cite it.
 * @param address of the page with `as_of`: path and parameters
 * @param what it shows, with its sources
 */
export function citeLink(
  { origin, notice }: PageContext,
  address: string,
  revision: number,
  what: string,
): Html {
  return html`<a href="${origin}${address}">${texts.cite(revision)}</a>. ${texts.citeAs}
    <span class="citation">${notice} ${nameOf(texts.citation(what, revision))} ${origin}${address}</span>`;
}

/** Says that an earlier state is shown. @param newest address of the page without `as_of` */
export const asOfNote = (newest: string, revision: number): Html =>
  html`<p>
    <strong>${texts.asOf(revision)}</strong>
    <a href="${newest}">${texts.showNewest}</a>
  </p>`;
