import { createHash } from 'node:crypto';
import type { SeriesStatus } from '../../price-series/series-status.js';
import type { SeriesDescriptor } from '../formats/series.js';

/** Must never change, so that a file always results in the same uuids. */
export const SERIES_NAMESPACE = 'c9c4e847-7093-41bb-b0a3-5d5dfb764135';

/** The natural key of a series, in the order in which its uuid is computed. */
export type SeriesKey = readonly [
  iso3: string,
  adminUnit: string,
  adminUnit2: string,
  market: string,
  commodity: string,
  priceType: string,
  source: string,
  unit: string,
  currency: string,
];

/**
 * The version 5 UUID (RFC 9562) of a natural key as a JSON array. Series of estimates and forecasts
 * have their status as a tenth element; those of observed prices have the uuids from before there
 * were others.
 */
export function seriesUuid(key: SeriesKey, status: SeriesStatus = 'observed'): string {
  const elements = status === 'observed' ? key : [...key, status.toUpperCase()];
  const bytes = createHash('sha1')
    .update(Buffer.from(SERIES_NAMESPACE.replaceAll('-', ''), 'hex'))
    .update(JSON.stringify(elements))
    .digest()
    .subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x50;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const digits = bytes.toString('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}

/** The natural key of a series, from its normalized texts. */
export function naturalKey({
  market,
  commodity,
  price_type,
  source,
  measure_unit,
  currency,
}: SeriesDescriptor): SeriesKey {
  return [
    market.iso3_country_code,
    market.admin_unit,
    market.admin_unit2,
    market.name,
    commodity.name,
    price_type,
    source.name,
    measure_unit.name,
    currency,
  ];
}
