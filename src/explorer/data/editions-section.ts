import type { ReadyEdition } from '../../editions/edition-record.js';
import { citation } from '../../editions/make/readme.js';
import { html, type Html, nameOf } from '../../web/html.js';
import { byteSize, dateOf, wholeNumber } from '../../web/numbers.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import type { PageContext } from '../layout/page.js';
import { texts } from '../texts.js';

/** Editions in the table, newest first; the downloads have the list of all. */
const MAX_EDITIONS = 24;

/**
 * The editions with their files, and how to cite one; null where there are none.
 * @param editions newest first
 */
export function editionsSection(editions: readonly ReadyEdition[], { notice }: PageContext): Html | null {
  const [newest] = editions;
  if (newest === undefined) return null;
  const columns = [
    textColumn(texts.data.edition),
    textColumn(texts.data.editionState),
    numberColumn(texts.data.editionPrices),
    numberColumn(texts.series),
    textColumn(texts.data.editionDifference),
    textColumn(texts.data.editionFiles),
  ];
  const prices = newest.files.find(({ name }) => name === 'prices.parquet')!;
  return html`<h2 id="editions">${texts.data.editions}</h2>
    ${table(texts.data.editionsNote, columns, editions.slice(0, MAX_EDITIONS).map(row))}
    <p>
      ${texts.data.citeEdition}
      <span class="citation">${notice} ${nameOf(citation(newest.title, prices).join(' '))}</span>
    </p>`;
}

const row = ({ number, title, revision, revised_at, points, series, difference, files }: ReadyEdition) => [
  html`${number}: ${nameOf(title)}`,
  html`${dateOf(revised_at?.slice(0, 10) ?? null)}, <a href="/browse?as_of=r${revision}">r${revision}</a>`,
  wholeNumber(points),
  wholeNumber(series),
  difference === null ? '–' : texts.data.difference(difference),
  files.map(
    ({ name, bytes, path }) =>
      html`<div class="nowrap"><a href="${path}">${name}</a> ${byteSize(bytes)}</div> `,
  ),
];
