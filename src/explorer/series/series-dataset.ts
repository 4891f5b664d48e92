import { webAddress } from '../layout/html.js';
import { texts } from '../texts.js';
import { seriesTitle, unitText } from './series-names.js';
import { pricesAddress } from './series-state.js';
import type { SeriesView } from './series-view.js';

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
