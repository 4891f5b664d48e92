import { datasetBlock } from '../layout/dataset.js';
import { type Html, webAddress } from '../../web/html.js';
import { texts } from '../texts.js';
import { seriesTitle, unitText } from './series-names.js';
import { pricesAddress } from './series-state.js';
import type { SeriesView } from './series-view.js';

/** The series as a `Dataset`: one whatever the page shows of it. */
export function seriesDataset(view: SeriesView, origin: string): Html {
  const { entry, source, state } = view;
  const starts = entry.periodicity.map(({ start_date }) => start_date).sort();
  const { latitude, longitude } = entry;
  const place = {
    '@type': 'Place',
    name: [entry.market, entry.admin_unit, entry.country_name].filter((name) => name !== '').join(', '),
  };
  return datasetBlock(
    {
      name: seriesTitle(entry),
      description: texts.seriesDescription(seriesTitle(entry), unitText(view), source.name),
      address: `/series/${state.uuid}`,
      links: [{ label: texts.prices, address: (format) => pricesAddress(state, format) }],
    },
    origin,
    {
      identifier: state.uuid,
      creator: { '@type': 'Organization', name: source.name, ...optional('url', webAddress(source.url)) },
      ...optional('license', webAddress(source.license)),
      ...(entry.last_price_date === null
        ? {}
        : { temporalCoverage: `${starts[0]}/${entry.last_price_date}` }),
      spatialCoverage:
        latitude === null || longitude === null
          ? place
          : { ...place, geo: { '@type': 'GeoCoordinates', latitude, longitude } },
      variableMeasured: { '@type': 'PropertyValue', name: entry.commodity, unitText: unitText(view) },
    },
  );
}

const optional = (name: string, value: string | null) => (value === null ? {} : { [name]: value });
