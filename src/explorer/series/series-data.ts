import { BASE } from '../../config/price-paths.js';
import { addressOf } from '../layout/address.js';
import { html, type Html, nameOf, webAddress } from '../layout/html.js';
import { dateOf } from '../layout/numbers.js';
import { texts } from '../texts.js';
import { seriesTitle, unitText } from './series-names.js';
import { indicatorsAddress, pricesAddress, seriesAddress } from './series-state.js';
import type { SeriesView } from './series-view.js';

/** The same numbers for programs: links, a call, and a link that shows this state for ever. */
export function dataLinks({ state, revision }: SeriesView, origin: string): Html {
  const cite = origin + seriesAddress(state, { as_of: state.asOf ?? `r${revision}` });
  return html`<section>
    <h2>${texts.asData}</h2>
    <ul>
      <li>
        ${texts.prices}: <a href="${pricesAddress(state)}">JSON</a> ·
        <a href="${pricesAddress(state, 'csv')}">CSV</a> ·
        <a href="${pricesAddress(state, 'ndjson')}">NDJSON</a>
      </li>
      <li>
        ${texts.indicators}: <a href="${indicatorsAddress(state)}">JSON</a> ·
        <a href="${indicatorsAddress(state, 'csv')}">CSV</a>
      </li>
      <li><a href="${cite}">${texts.cite(revision)}</a></li>
    </ul>
    <div class="api">
      <p>${texts.asCall}</p>
      <pre><code>curl '${origin}${pricesAddress(state)}'</code></pre>
    </div>
  </section>`;
}

/** Where the numbers come from. */
export function madeOf({ entry, source, state, catalogue, row }: SeriesView): Html {
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

/** The series as a schema.org `Dataset`, by which search engines for data find it. */
export function datasetJson(view: SeriesView, origin: string): object {
  const { entry, source, state } = view;
  const starts = entry.periodicity.map(({ start_date }) => start_date).sort();
  const { latitude, longitude } = entry;
  const place = {
    '@type': 'Place',
    name: [entry.market, entry.admin_unit, entry.country_name].filter((name) => name !== '').join(', '),
  };
  const download = (encodingFormat: string, contentUrl: string) => ({
    '@type': 'DataDownload',
    encodingFormat,
    contentUrl: origin + contentUrl,
  });
  return {
    '@context': 'https://schema.org/',
    '@type': 'Dataset',
    name: seriesTitle(entry),
    description: texts.seriesDescription(seriesTitle(entry), unitText(view), source.name),
    url: `${origin}/series/${state.uuid}`,
    identifier: state.uuid,
    isAccessibleForFree: true,
    creator: { '@type': 'Organization', name: source.name, ...optional('url', webAddress(source.url)) },
    ...optional('license', webAddress(source.license)),
    ...(entry.last_price_date === null ? {} : { temporalCoverage: `${starts[0]}/${entry.last_price_date}` }),
    spatialCoverage:
      latitude === null || longitude === null
        ? place
        : { ...place, geo: { '@type': 'GeoCoordinates', latitude, longitude } },
    variableMeasured: { '@type': 'PropertyValue', name: entry.commodity, unitText: unitText(view) },
    distribution: [
      download('application/json', pricesAddress(state)),
      download('text/csv', pricesAddress(state, 'csv')),
    ],
  };
}

const optional = (name: string, value: string | null) => (value === null ? {} : { [name]: value });
