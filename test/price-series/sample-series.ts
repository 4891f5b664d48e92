import type { UnitOfWork } from '../../src/ledger/unit-of-work.js';
import type { ServedPeriodicityItem } from '../../src/price-series/price-serie.view.js';
import { createRecords, priceTypes } from '../support/factories.js';

/** Ids of the records that `createSampleSeries` creates, by the names used here. */
export interface SampleIds {
  rice: number;
  paddy: number;
  flour: number;
  charcoal: number;
  wheat: number;
  cereals: number;
  kabul: number;
  garissa: number;
  nairobi: number;
  gao: number;
  maliAverage: number;
  gulf: number;
  ministry: number;
  wfp: number;
  exchange: number;
  kilogram: number;
  tonne: number;
}

/** The uuid of the series with this letter. The uuids sort like the letters. */
export const sampleUuid = (letter: string) =>
  `a000000${letter.charCodeAt(0) - 64}-0000-4000-8000-00000000000f`;
/** The letter of the series with this uuid. */
export const letterOf = (uuid: string) => String.fromCharCode(64 + Number(uuid.charAt(7)));

const item = (
  period: ServedPeriodicityItem['period'],
  start_date: string,
  end_date: string,
  calculated = false,
): ServedPeriodicityItem => ({
  period,
  start_date,
  end_date,
  ...(calculated ? { calculated } : {}),
});

/**
 * Creates seven series, such that each filter selects some of them but not all:
 *
 * | | country | market | commodity | price type | source | currency | last price |
 * |---|---|---|---|---|---|---|---|
 * | A | AFG | Kabul | Rice (white) | RETAIL | Ministry | AFN | 2020-06-30, daily |
 * | B | KEN | Garissa | Rice (paddy) | WHOLESALE | WFP | KES | 2021-12-31, weekly |
 * | C | KEN | Nairobi | Wheat flour | RETAIL | Ministry | KES | 2018-12-01, monthly |
 * | D | MLI | Marché de Gao | Charcoal | RETAIL | Ministry | XOF | none |
 * | E | MLI | National Average | Rice (white) | IMPORT | Exchange | XOF | 2026-08-01, monthly |
 * | F | USA | Gulf | Wheat | EXPORT | WFP | USD | 2026-10-30, weekly |
 * | G | KEN | Nairobi | Cereals | RETAIL | WFP | USD | 2026-11-20, daily |
 */
export function createSampleSeries(unitOfWork: UnitOfWork): Promise<SampleIds> {
  return createRecords(unitOfWork, async (factory) => {
    const ids: SampleIds = {
      rice: await factory.commodity({
        name: 'Rice (white)',
        hs_code: '100630',
        category: 'cereals and tubers',
      }),
      paddy: await factory.commodity({ name: 'Rice (paddy)', hs_code: '100610' }),
      flour: await factory.commodity({ name: 'Wheat flour', hs_code: '1101' }),
      charcoal: await factory.commodity({ name: 'Charcoal' }),
      wheat: await factory.commodity({ name: 'Wheat', hs_code: '1001' }),
      cereals: await factory.commodity({ name: 'Cereals', hs_code: '10' }),
      kabul: await factory.market({
        name: 'Kabul',
        iso3_country_code: 'AFG',
        country_name: 'Afghanistan',
        admin_unit: 'Kabul',
        type: 'Urban',
        latitude: 34.5289,
        longitude: 69.1725,
      }),
      garissa: await factory.market({
        name: 'Garissa',
        iso3_country_code: 'KEN',
        country_name: 'Kenya',
        admin_unit: 'North Eastern',
        admin_unit2: 'Garissa',
      }),
      nairobi: await factory.market({
        name: 'Nairobi',
        iso3_country_code: 'KEN',
        country_name: 'Kenya',
        admin_unit: 'Nairobi',
        admin_unit2: 'Foo, Bar',
        type: 'urban ',
      }),
      gao: await factory.market({
        name: 'Marché de Gao',
        iso3_country_code: 'MLI',
        country_name: 'Mali',
        admin_unit: 'Gao',
        admin_unit2: 'Le "Grand" Gao',
        type: 'Marché',
        latitude: 16.27,
        longitude: -0.05,
      }),
      maliAverage: await factory.market({
        name: 'National Average',
        iso3_country_code: 'MLI',
        country_name: 'Mali',
        type: 'National average',
        regional_average: true,
      }),
      gulf: await factory.market({
        name: '=Gulf',
        iso3_country_code: 'USA',
        country_name: 'United States of America',
      }),
      ministry: await factory.source({ name: 'Ministry of Agriculture', url: 'https://example.org/' }),
      wfp: await factory.source({ name: 'World Food Programme (WFP)' }),
      exchange: await factory.source({ name: 'Commodity exchange, "spot"' }),
      kilogram: await factory.measureUnit({ name: 'Kg', dimension: 'mass', conversion_factor: 1 }),
      tonne: await factory.measureUnit({ name: 'tonne', dimension: 'mass', conversion_factor: 0.001 }),
    };
    const kg = { measure_unit_id: ids.kilogram };
    await factory.series({
      ...kg,
      uuid: sampleUuid('A'),
      market_id: ids.kabul,
      commodity_id: ids.rice,
      source_id: ids.ministry,
      currency: 'AFN',
      periodicity: [
        item('daily', '2020-01-01', '2020-06-30'),
        item('weekly', '2020-01-03', '2020-06-26', true),
        item('monthly', '2020-01-01', '2020-06-01', true),
      ],
    });
    // Stored in an order that differs from that of the lists.
    await factory.series({
      ...kg,
      uuid: sampleUuid('G'),
      market_id: ids.nairobi,
      commodity_id: ids.cereals,
      source_id: ids.wfp,
      currency: 'USD',
      periodicity: [
        item('daily', '2026-11-01', '2026-11-20'),
        item('weekly', '2026-11-06', '2026-11-20', true),
        item('monthly', '2026-11-01', '2026-11-01', true),
      ],
    });
    await factory.series({
      measure_unit_id: ids.tonne,
      uuid: sampleUuid('F'),
      market_id: ids.gulf,
      commodity_id: ids.wheat,
      price_type_id: priceTypes.EXPORT,
      source_id: ids.wfp,
      currency: 'USD',
      periodicity: [
        item('weekly', '2021-01-01', '2026-10-30'),
        item('monthly', '2021-01-01', '2026-10-01', true),
      ],
    });
    await factory.series({
      ...kg,
      uuid: sampleUuid('B'),
      market_id: ids.garissa,
      commodity_id: ids.paddy,
      price_type_id: priceTypes.WHOLESALE,
      source_id: ids.wfp,
      periodicity: [
        item('weekly', '2019-01-04', '2021-12-31'),
        item('monthly', '2019-01-01', '2021-12-01', true),
      ],
    });
    await factory.series({
      ...kg,
      uuid: sampleUuid('C'),
      market_id: ids.nairobi,
      commodity_id: ids.flour,
      source_id: ids.ministry,
      periodicity: [item('monthly', '2015-01-01', '2018-12-01')],
    });
    await factory.series({
      ...kg,
      uuid: sampleUuid('D'),
      market_id: ids.gao,
      commodity_id: ids.charcoal,
      source_id: ids.ministry,
      currency: 'XOF',
    });
    await factory.series({
      ...kg,
      uuid: sampleUuid('E'),
      market_id: ids.maliAverage,
      commodity_id: ids.rice,
      price_type_id: priceTypes.IMPORT,
      source_id: ids.exchange,
      currency: 'XOF',
      periodicity: [item('monthly', '2022-01-01', '2026-08-01')],
    });
    return ids;
  });
}
