import { html, nameOf } from '../../web/html.js';
import { exact } from '../../web/numbers.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import { seriesHeading, seriesTitle } from '../../explorer/series/series-names.js';
import { texts as pageTexts } from '../../explorer/texts.js';
import type { SeriesEntry } from '../../price-series/price-serie.view.js';
import type { PointVersion } from '../../prices/history/point-versions.js';
import { instantOf } from '../layout/instant.js';
import type { DeskView } from '../layout/desk-page.js';
import { deskSeriesTexts as texts } from '../texts/series.js';
import { deskSeriesAddress } from './series-address.js';

/**
 * The page of a price: what it was before, by whom and why.
 * @param accounts names of accounts by the change sets that they have made
 */
export function pointPage(
  entry: SeriesEntry,
  date: string,
  versions: readonly PointVersion[],
  accounts: ReadonlyMap<number | null, string>,
): DeskView {
  const title = texts.versionOf(date);
  const columns = [
    numberColumn(texts.price),
    ...[texts.comment, texts.known, texts.until, texts.by, texts.made].map(textColumn),
  ];
  const rows = versions.map(({ price_value, comment, known_from, known_to, change_set_id, kind }) => [
    price_value === null ? texts.removed : exact(price_value, String),
    nameOf(comment ?? ''),
    instantOf(known_from),
    known_to === null ? texts.now : instantOf(known_to),
    nameOf(accounts.get(change_set_id) ?? '–'),
    html`<a href="/desk/change-sets/${change_set_id}">${change_set_id}</a> ${pageTexts.changeKind(kind)}`,
  ]);
  const name = seriesTitle(entry);
  return {
    title: `${title}: ${name}`,
    section: '/desk/series',
    main: html`<p class="path">
        <a href="/desk/series">${texts.title}</a> ›
        <a href="${deskSeriesAddress(entry.uuid)}">${seriesHeading(entry)}</a>
      </p>
      <h1>${title}</h1>
      ${table(texts.versionsNote, columns, rows)}`,
  };
}
