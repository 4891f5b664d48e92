import { isoFromDay } from '../lib/dates/calendar-date.js';
import type { CatalogueSnapshot } from './catalogue/catalogue-snapshot.js';
import { PERIOD_NAMES, type PeriodName, periodNames, PERIODS } from './periodicity.js';
import type {
  ReferenceDictionaries,
  SeriesReferences,
  SeriesReferenceTable,
} from './catalogue/reference-dictionaries.js';
import { SERIES_STATUSES, type SeriesStatus } from './series-status.js';
import { ApiSchema, ArrayOf, Constant, Nested, Optional, OrNull } from '../platform/validation/field.js';
import {
  CalendarDate,
  CurrencyCode,
  Decimal,
  Flag,
  Id,
  Iso3,
  OneOf,
  Text,
  Uuid,
} from '../platform/validation/fields.js';

/** A periodicity item as the API returns it. */
@ApiSchema({ name: 'Period' })
export class ServedPeriodicityItem {
  @OneOf(periodNames) period!: PeriodName;
  @CalendarDate() start_date!: string;
  @CalendarDate() end_date!: string;
  /** Only present if the data of the period are derived. */
  @Optional(Constant(true)) calculated?: true;
}

/** A series as the API returns it. */
@ApiSchema({ name: 'Serie' })
export class SeriesEntry {
  @Uuid() uuid!: string;
  @Iso3() iso3_country_code!: string;
  @Text() country_name!: string;
  @Text({ description: 'Name of the commodity' }) commodity!: string;
  @Id() commodity_id!: number;
  @Text({ description: 'Harmonized System code; empty if unknown' }) hs_code!: string;
  @Text() category!: string;
  @Text({ description: 'Name of the price type' }) price_type!: string;
  @Id() price_type_id!: number;
  @Text({ description: 'Name of the market' }) market!: string;
  @Id() market_id!: number;
  @Text() market_type!: string;
  @Text() admin_unit!: string;
  @Text() admin_unit2!: string;
  @OrNull(Decimal({ description: 'Degrees north' })) latitude!: number | null;
  @OrNull(Decimal({ description: 'Degrees east' })) longitude!: number | null;
  @Text({ description: 'Name of the source' }) source!: string;
  @Id() source_id!: number;
  @CurrencyCode({ description: 'Code of the currency' }) currency!: string;
  @Text({ description: 'Name of the unit' }) measure_unit!: string;
  @Id() measure_unit_id!: number;
  @OrNull(Decimal({ description: 'Price × factor = price per kilogram or litre' }))
  conversion_factor!: number | null;
  @Flag({ description: 'True for the average of a country or region' }) regional_average!: boolean;
  @OrNull(CalendarDate()) last_price_date!: string | null;
  @ArrayOf(Nested(ServedPeriodicityItem)) periodicity!: ServedPeriodicityItem[];
  /** Only present where series of other status than `observed` may be among those of the reply. */
  @Optional(OneOf(SERIES_STATUSES)) status?: SeriesStatus;
}

/** The entry of the series at a catalogue row. */
export function entryOf(catalogue: CatalogueSnapshot, row: number): SeriesEntry {
  const { market, commodity, price_type, source, measure_unit, ...series } = catalogue.seriesAt(row);
  return {
    uuid: series.uuid,
    ...countryFields(market),
    ...commodityFields(commodity),
    ...priceTypeFields(price_type),
    ...marketFields(market),
    ...sourceFields(source),
    currency: series.currency,
    ...measureUnitFields(measure_unit),
    regional_average: market.regional_average,
    last_price_date: series.lastDay === null ? null : isoFromDay(series.lastDay),
    periodicity: series.periodicity.map(({ period, start, end, calculated }): ServedPeriodicityItem => ({
      period: PERIOD_NAMES[period],
      start_date: isoFromDay(start),
      end_date: isoFromDay(end),
      ...(calculated ? { calculated } : {}),
    })),
    ...(series.status === undefined ? {} : { status: series.status }),
  };
}

/*
 * The fields that come from one reference record, in the order of the entry. Both `entryOf` and the
 * JSON fragments of `entryJson` use these functions.
 */

const countryFields = ({ iso3_country_code, country_name }: SeriesReferences['market']) => ({
  iso3_country_code,
  country_name,
});

const commodityFields = ({ id, name, hs_code, category }: SeriesReferences['commodity']) => ({
  commodity: name,
  commodity_id: id,
  hs_code: hs_code ?? '',
  category,
});

const priceTypeFields = ({ id, name }: SeriesReferences['price_type']) => ({
  price_type: name,
  price_type_id: id,
});

const marketFields = (market: SeriesReferences['market']) => ({
  market: market.name,
  market_id: market.id,
  market_type: market.type,
  admin_unit: market.admin_unit,
  admin_unit2: market.admin_unit2,
  latitude: market.latitude,
  longitude: market.longitude,
});

const sourceFields = ({ id, name }: SeriesReferences['source']) => ({ source: name, source_id: id });

const measureUnitFields = ({ id, name, conversion_factor }: SeriesReferences['measure_unit']) => ({
  measure_unit: name,
  measure_unit_id: id,
  conversion_factor,
});

/** The JSON of `entryOf`, joined from shared fragments: several times as fast as `stringify`. */
export function entryJson(catalogue: CatalogueSnapshot, row: number): string {
  const { columns } = catalogue;
  const fragments = fragmentsOf(catalogue.dictionaries);
  const market = columns.market[row]!;
  const lastDay = columns.last_day[row]!;
  const status = catalogue.statusAt(row);
  let items = '';
  for (const period of PERIODS) {
    const start = columns[`start${period}`][row]!;
    if (start === 0) continue;
    const calculated = columns.calculated[row]! & (1 << period) ? ',"calculated":true' : '';
    const dates = `"start_date":"${isoFromDay(start)}","end_date":"${isoFromDay(columns[`end${period}`][row]!)}"`;
    items += `${items === '' ? '' : ','}{"period":"${PERIOD_NAMES[period]}",${dates}${calculated}}`;
  }
  return (
    `{"uuid":"${catalogue.uuidAt(row)}",` +
    fragments.country.at(market) +
    fragments.commodity.at(columns.commodity[row]!) +
    fragments.priceType.at(columns.price_type[row]!) +
    fragments.market.at(market) +
    fragments.source.at(columns.source[row]!) +
    `"currency":${JSON.stringify(catalogue.currencyAt(row))},` +
    fragments.measureUnit.at(columns.measure_unit[row]!) +
    `"regional_average":${catalogue.referenceAt('market', row).regional_average},` +
    `"last_price_date":${lastDay === 0 ? 'null' : `"${isoFromDay(lastDay)}"`},"periodicity":[${items}]` +
    (status === undefined ? '}' : `,"status":"${status}"}`)
  );
}

/** For each record of a table, its fields of an entry as JSON, created on first use. */
class JsonFragments<T extends SeriesReferenceTable> {
  private readonly fragments: (string | undefined)[];

  constructor(
    private readonly dictionaries: ReferenceDictionaries,
    private readonly table: T,
    private readonly fields: (record: SeriesReferences[T]) => object,
  ) {
    this.fragments = new Array<string | undefined>(dictionaries.of(table).size);
  }

  at(index: number): string {
    return (this.fragments[index] ??=
      JSON.stringify(this.fields(this.dictionaries.of(this.table).at(index))).slice(1, -1) + ',');
  }
}

class EntryFragments {
  readonly country = new JsonFragments(this.dictionaries, 'market', countryFields);
  readonly commodity = new JsonFragments(this.dictionaries, 'commodity', commodityFields);
  readonly priceType = new JsonFragments(this.dictionaries, 'price_type', priceTypeFields);
  readonly market = new JsonFragments(this.dictionaries, 'market', marketFields);
  readonly source = new JsonFragments(this.dictionaries, 'source', sourceFields);
  readonly measureUnit = new JsonFragments(this.dictionaries, 'measure_unit', measureUnitFields);

  constructor(private readonly dictionaries: ReferenceDictionaries) {}
}

/** Fragments depend on reference records alone, so they may outlive a snapshot. */
const cachedFragments = new WeakMap<ReferenceDictionaries, EntryFragments>();

function fragmentsOf(dictionaries: ReferenceDictionaries): EntryFragments {
  let fragments = cachedFragments.get(dictionaries);
  if (fragments === undefined)
    cachedFragments.set(dictionaries, (fragments = new EntryFragments(dictionaries)));
  return fragments;
}
