import type { HtmlValue } from '../../web/html.js';
import { html, type Html } from '../../web/html.js';
import { columnFormat, exact, wholeNumber } from '../../web/numbers.js';
import { numberColumn, table, textColumn } from '../../web/table.js';
import { texts } from '../texts.js';
import type { GroupView } from './group-views.js';

/**
 * The newest month of each group: its prices, and its index with the series behind it.
 * @param heading of the first column, which tells groups apart
 */
export function groupTable(
  groups: readonly GroupView[],
  heading: string,
  first: (group: GroupView) => HtmlValue,
): Html {
  const columns = [
    textColumn(heading),
    textColumn(texts.groups.kind),
    textColumn(texts.groups.month),
    numberColumn(texts.groups.median),
    numberColumn(texts.groups.least),
    numberColumn(texts.groups.greatest),
    numberColumn(texts.groups.n),
    numberColumn(texts.groups.index),
    numberColumn(texts.groups.matched),
  ];
  const newest = groups.map(({ observations }) => observations[0]!);
  const price = columnFormat(newest.flatMap(({ median, min, max }) => [median, min, max]));
  const points = columnFormat(newest.map(({ index }) => index));
  const rows = groups.map((group) => {
    const { date, median, min, max, n, index, n_matched } = group.observations[0]!;
    return [
      first(group),
      `${String(group.fields.price_type).toLowerCase()}, US$ ${texts.perAmount} ${group.fields.unit}`,
      html`<span class="nowrap">${date.slice(0, 7)}</span>`,
      exact(median, price),
      exact(min, price),
      exact(max, price),
      wholeNumber(n),
      exact(index, points),
      exact(n_matched, wholeNumber),
    ];
  });
  return table(texts.groups.note, columns, rows);
}
