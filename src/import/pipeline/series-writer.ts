import type { Transaction } from '../../ledger/unit-of-work.js';
import { currencyAliases } from '../../lib/codes/currency-aliases.js';
import type { SeriesStatus } from '../../price-series/series-status.js';
import { addSeriesAliases } from '../../price-series/series-aliases.js';
import type { SeriesDescriptor } from '../formats/series.js';
import { CountryNames } from './country-names.js';
import { fillRecords, type FilledRecords } from './record-filling.js';
import { createSeries, findStoredSeries, type StoredSeries } from '../../price-series/stored-series.js';
import { REFERENCE_COLUMNS } from '../../price-series/series-attributes.js';
import { readNamedSeries } from '../../price-series/series-store.js';
import { naturalKey, seriesUuid } from './series-uuid.js';
import { continueSeries } from './series-continuing.js';
import { SERIES_TABLES, SeriesRecords, type SeriesTable } from './series-records.js';

/** A series of an input. */
export interface ImportedSeries {
  readonly uuid: string;
  /** Null where the input has only the uuid. */
  readonly descriptor: SeriesDescriptor | null;
}

/** Stored series, and what was created for them. */
export interface ResolvedSeries {
  /** By uuid. */
  readonly stored: ReadonlyMap<string, StoredSeries>;
  /** The uuids of created series. */
  readonly created: readonly string[];
  /** The uuids whose series may have further uuids in this input. */
  readonly renamed: ReadonlySet<string>;
  /** Created records: the table, and the record's unique key. */
  readonly createdRecords: readonly (readonly [SeriesTable, string])[];
  readonly filledRecords: FilledRecords;
  /** Commodities whose stored HS code differs from the input's and was kept. */
  readonly keptHsCodes: readonly string[];
}

/** A series that an input describes. */
type DescribedSeries = ImportedSeries & { readonly descriptor: SeriesDescriptor };

/**
 * Finds the series of an input by uuid or by an alias of it, continues those whose records have
 * other texts now, and creates those that are missing with the records they refer to. Records are
 * created for these only: so a renamed record keeps its series. Empty fields of records are filled.
 */
export async function resolveSeries(
  transaction: Transaction,
  series: readonly ImportedSeries[],
  markedPeriods: (series: ImportedSeries) => number = () => 0,
): Promise<ResolvedSeries> {
  const stored = await findStoredSeries(transaction, series);
  const isDescribed = (one: ImportedSeries): one is DescribedSeries => one.descriptor !== null;
  const described = series.filter(isDescribed);
  const descriptors = described.map(({ descriptor }) => descriptor);
  const records = await SeriesRecords.find(transaction, descriptors);
  const keptHsCodes = differingHsCodes(descriptors, records);
  const filledRecords = await fillRecords(transaction, records, descriptors);
  const unknown = described.filter(({ uuid }) => !stored.has(uuid));
  for (const [uuid, found] of await findByCurrencyAlias(transaction, unknown)) stored.set(uuid, found);
  for (const [uuid, found] of await continueSeries(
    transaction,
    unknown.filter(({ uuid }) => !stored.has(uuid)),
    records,
  ))
    stored.set(uuid, found);
  const missing = unknown.filter(({ uuid }) => !stored.has(uuid));
  const countries = await CountryNames.read(
    transaction,
    descriptors.map(({ market }) => market.iso3_country_code),
  );
  const createdRecords = await records.create(
    missing.map(({ descriptor }) => descriptor),
    countries,
  );
  const otherNames = descriptors.flatMap(({ market, country_text }) => [
    ...countries.otherName(market, country_text),
  ]);
  const created = await createSeries(
    transaction,
    missing.map((one) => {
      const { currency, status } = one.descriptor;
      const recordIds = records.allOf(one.descriptor)!.map(({ record }) => record.id);
      return { uuid: one.uuid, recordIds, currency, markedPeriods: markedPeriods(one), status };
    }),
  );
  for (const [uuid, found] of created) stored.set(uuid, found);
  const isRenamed = ({ descriptor }: DescribedSeries) =>
    SERIES_TABLES.some((table) => records.of(table, descriptor)?.hasAlias);
  return {
    stored,
    created: missing.map(({ uuid }) => uuid),
    renamed: new Set(described.filter(isRenamed).map(({ uuid }) => uuid)),
    createdRecords,
    filledRecords: { ...filledRecords, replaced: [...filledRecords.replaced, ...otherNames] },
    keptHsCodes,
  };
}

/**
 * The series of another status beside stored ones, by the ids of these; those that are missing are
 * created.
 */
export async function seriesOfStatus(
  transaction: Transaction,
  ids: readonly number[],
  status: SeriesStatus,
): Promise<Map<number, StoredSeries>> {
  const beside = new Map<number, StoredSeries>();
  const named = await readNamedSeries(transaction, ids);
  const wanted = named.map(({ id, marked_periods: markedPeriods, currency, ...one }) => {
    const { iso3_country_code, admin_unit, admin_unit2, market, commodity } = one;
    const { price_type, source, measure_unit } = one;
    const place = [iso3_country_code, admin_unit, admin_unit2, market] as const;
    const key = [...place, commodity, price_type, source, measure_unit, currency] as const;
    const recordIds = REFERENCE_COLUMNS.map((column) => one[column]);
    return { id, uuid: seriesUuid(key, status), recordIds, currency, markedPeriods, status };
  });
  const stored = await findStoredSeries(transaction, wanted);
  const missing = wanted.filter(({ uuid }) => !stored.has(uuid));
  for (const [uuid, created] of await createSeries(transaction, missing)) stored.set(uuid, created);
  for (const { id, uuid } of wanted) beside.set(id, stored.get(uuid)!);
  return beside;
}

/**
 * Finds series that were stored under another code of their currency (NIS for ILS), from which
 * their uuid was computed. The uuid of the input becomes an alias.
 */
async function findByCurrencyAlias(
  transaction: Transaction,
  unknown: readonly DescribedSeries[],
): Promise<Map<string, StoredSeries>> {
  const spellings = unknown.flatMap(({ uuid, descriptor }) =>
    descriptor.uuid !== null
      ? []
      : currencyAliases(descriptor.currency).map((currency) => {
          const stored = seriesUuid(naturalKey({ ...descriptor, currency }), descriptor.status);
          return { uuid: stored, descriptor, continuedAs: uuid };
        }),
  );
  const found = await findStoredSeries(transaction, spellings);
  const continued = new Map<string, StoredSeries>();
  for (const { uuid, continuedAs } of spellings) {
    const series = found.get(uuid);
    if (series !== undefined) continued.set(continuedAs, series);
  }
  await addSeriesAliases(
    transaction,
    [...continued].map(([uuid, { id }]) => ({ uuid, serieId: id })),
  );
  return continued;
}

/** The commodities whose HS code in the input differs from the stored one. */
function differingHsCodes(series: readonly SeriesDescriptor[], records: SeriesRecords): string[] {
  const differing = new Set<string>();
  for (const descriptor of series) {
    const { name, hs_code } = descriptor.commodity;
    const found = records.of('Commodity', descriptor)?.record as { hs_code?: string | null } | undefined;
    const stored = found?.hs_code ?? null;
    if (hs_code !== null && stored !== null && stored !== hs_code) differing.add(name);
  }
  return [...differing];
}
