import { BASE } from '../../config/price-paths.js';
import { addressOf } from '../../web/address.js';
import { citeLink, dataSection } from '../layout/data-section.js';
import type { PageContext } from '../layout/page.js';
import { html, type Html, nameOf, webAddress } from '../../web/html.js';
import { dateOf } from '../../web/numbers.js';
import { texts } from '../texts.js';
import { seriesTitle } from './series-names.js';
import { differencesAddress, indicatorsAddress, pricesAddress, seriesAddress } from './series-state.js';
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
    ],
    citeLink(info, cite, revision, `${source.name}: ${seriesTitle(entry)}`),
  );
}

/** Where the numbers come from. */
export function madeOf({ entry, source, state, catalogue, row, origin }: SeriesView): Html {
  const { lastImport, replaced, first } = origin;
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
          html`<a href="/${BASE}/ChangeSet/${lastImport.id}/"
              >${dateOf(lastImport.started_at.slice(0, 10))}</a
            >
            ${nameOf(lastImport.input)}`,
        )
      }
      ${item(
        texts.seriesPage.versions,
        html`${texts.seriesPage.replaced(replaced)}
        ${replaced === 0 || first === null ? null : html`<a href="${differencesAddress(state, first)}">${texts.seriesPage.differences}</a>`}`,
      )}
      ${item(texts.lastChange, `${texts.revision} ${catalogue.revisionAt(row)}`)}
      ${item(
        texts.identity,
        html`<a href="${addressOf(`/${BASE}/PriceSerie/${state.uuid}/`, { as_of: state.asOf })}"
          >${state.uuid}</a
        >`,
      )}
    </dl>
  </section>`;
}
