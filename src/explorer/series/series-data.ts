import { citeLink, type DataLink, dataSection } from '../layout/data-section.js';
import type { PageContext } from '../layout/page.js';
import { html, type Html, nameOf, webAddress } from '../../web/html.js';
import { dateOf } from '../../web/numbers.js';
import { texts } from '../texts.js';
import { seriesTitle } from './series-names.js';
import {
  correctionsAddress,
  differencesAddress,
  indicatorsAddress,
  pricesAddress,
  seriesAddress,
} from './series-state.js';
import type { SeriesView } from './series-view.js';

/** The same numbers for programs: links, a call, and a link that shows this state for ever. */
export function dataLinks(view: SeriesView, info: PageContext): Html {
  const { state, revision, entry, source } = view;
  const cite = seriesAddress(state, { as_of: state.asOf ?? `r${revision}` });
  const formats = ['json', 'csv', 'xlsx', 'parquet', 'ndjson'] as const;
  return dataSection(
    info.origin,
    [
      { label: texts.prices, formats, address: (format) => pricesAddress(state, format) },
      { label: texts.indicators, formats, address: (format) => indicatorsAddress(state, format) },
      ...historyLinks(view),
    ],
    citeLink(info, cite, revision, `${source.name}: ${seriesTitle(entry)}`),
  );
}

/** What has changed of the prices, and what maintainers have corrected, if anything. */
const historyLinks = ({ state, origin: { replaced, first }, corrections }: SeriesView): DataLink[] => [
  ...(replaced === 0 || first === null
    ? []
    : [
        {
          label: texts.seriesPage.differences,
          address: (format) => differencesAddress(state, first, format),
        } satisfies DataLink,
      ]),
  ...(corrections.length === 0
    ? []
    : [
        {
          label: texts.seriesPage.corrections,
          address: (format) => correctionsAddress(state, format),
        } satisfies DataLink,
      ]),
];

/** Where the numbers come from. */
export function madeOf({ entry, source, state, catalogue, row, origin }: SeriesView): Html {
  const { lastImport, replaced } = origin;
  const link = webAddress(source.url);
  const license = webAddress(source.license);
  const item = (term: string, value: Html | string) =>
    html`<dt>${term}</dt>
      <dd>${value}</dd>`;
  return html`<section>
    <h2>${texts.madeOf}</h2>
    <dl>
      ${item(texts.source, link === null ? nameOf(source.name) : html`<a href="${link}">${nameOf(source.name)}</a>`)}
      ${item(
        texts.license,
        license === null
          ? nameOf(source.license || texts.unknown)
          : html`<a href="${license}">${license}</a>`,
      )}
      ${item(texts.published, html`${nameOf(`${entry.currency} ${texts.perAmount} ${entry.measure_unit}`)}`)}
      ${entry.periodicity.map((each) =>
        item(
          texts.period[each.period],
          html`${dateOf(each.start_date)} – ${dateOf(each.end_date)}${each.calculated ? texts.calculated : ''}`,
        ),
      )}
      ${
        lastImport !== null &&
        item(
          texts.seriesPage.lastImport,
          html`${dateOf(lastImport.started_at.slice(0, 10))} ${nameOf(lastImport.input)}`,
        )
      }
      ${item(texts.seriesPage.versions, texts.seriesPage.replaced(replaced))}
      ${item(texts.lastChange, `${texts.revision} ${catalogue.revisionAt(row)}`)}
      ${item(texts.identity, state.uuid)}
    </dl>
  </section>`;
}
