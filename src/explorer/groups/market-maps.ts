import { monthNumber } from '../../analysis/analysis.parameters.js';
import { FRESH_MONTHS } from '../../price-series/calendar.js';
import type { CatalogueSnapshot } from '../../price-series/catalogue/catalogue-snapshot.js';
import { addressOf } from '../../web/address.js';
import { html, type Html } from '../../web/html.js';
import { columnFormat, percent } from '../../web/numbers.js';
import {
  CHANGE_CLASSES,
  changeClass,
  CHANGE_STEPS,
  type MarketClass,
  priceClasses,
} from '../map/market-classes.js';
import { type MarketMap, marketMapFigure, type MarketPoint, MAX_POINTS } from '../map/market-map.js';
import { texts } from '../texts.js';
import type { PricedView } from './group-views.js';

/** Of which prices maps are drawn. */
interface MappedPrices {
  readonly iso3: string;
  readonly catalogue: CatalogueSnapshot;
  /** What the prices are of, such as `Maize in Kenya`. */
  readonly title: string;
  /** Such as `KES per kilogram`. */
  readonly unit: string;
  /** Markets, each with its newest price. */
  readonly markets: readonly PricedView[];
  /** The newest month of all of them (a month number). */
  readonly month: number;
  /** As the address says it. */
  readonly asOf: string | undefined;
}

/** A market that has a place. */
interface PlacedMarket {
  readonly group: PricedView;
  readonly latitude: number;
  readonly longitude: number;
  readonly isOld: boolean;
}

const words = texts.marketMaps;

/**
 * Two maps of markets beside each other: what a commodity costs in each, and how that has changed
 * in a year. Null where fewer than two markets have coordinates.
 */
export function marketMaps(prices: MappedPrices): Html | null {
  const { catalogue, markets, month } = prices;
  const placed = markets.flatMap((group): PlacedMarket[] => {
    const { latitude, longitude } = catalogue.referenceAt('market', group.rows[0]!);
    const isOld = monthNumber(group.change.month) < month - FRESH_MONTHS;
    return latitude === null || longitude === null ? [] : [{ group, latitude, longitude, isOld }];
  });
  if (placed.length < 2) return null;
  const without = markets.length - placed.length;
  // The newest prices are shown first where they are too many.
  const shown = [...placed]
    .sort((one, other) => Number(one.isOld) - Number(other.isOld))
    .slice(0, MAX_POINTS);
  const notes = [
    ...(without === 0 ? [] : [words.placeless(without)]),
    ...(shown.length === placed.length ? [] : [words.notAll(shown.length, placed.length)]),
  ];
  const maps = [priceMap(prices, shown, notes), changeMap(prices, shown, notes)];
  return html`<div class="columns">${maps.map((map) => map && marketMapFigure(map))}</div>`;
}

function priceMap(
  prices: MappedPrices,
  placed: readonly PlacedMarket[],
  notes: readonly string[],
): MarketMap {
  const medianOf = ({ group }: PlacedMarket) => group.change.median;
  const classes = priceClasses(placed.filter(({ isOld }) => !isOld).map(medianOf));
  const format = columnFormat(placed.map(medianOf));
  const classOf = (market: PlacedMarket): MarketClass =>
    market.isOld ? 'past' : classes.find(({ to }) => medianOf(market) <= to)!.name;
  const pointOf = (market: PlacedMarket) =>
    point(prices, market, classOf(market), words.costs(format(medianOf(market)), market.group.change.month));
  return {
    iso3: prices.iso3,
    id: 'map-price',
    title: words.price(prices.title, prices.unit),
    points: placed.map(pointOf),
    legend: [
      ...classes.map(
        ({ name, from, to }) =>
          [name, from === to ? format(from) : words.between(format(from), format(to))] as const,
      ),
      ...pastEntry(placed),
    ],
    note: notes.join(' '),
  };
}

/** Null where no market has a new price and one of a year before. */
function changeMap(
  prices: MappedPrices,
  placed: readonly PlacedMarket[],
  notes: readonly string[],
): MarketMap | null {
  const changed = placed.flatMap((market) => {
    const { change_12m: change } = market.group.change;
    return change === null
      ? []
      : [{ market, change, name: market.isOld ? ('past' as const) : changeClass(change) }];
  });
  if (changed.every(({ name }) => name === 'past')) return null;
  const used = new Set<MarketClass>(changed.map(({ name }) => name));
  const missing = placed.length - changed.length;
  return {
    iso3: prices.iso3,
    id: 'map-change',
    title: words.change(prices.title),
    points: changed.map(({ market, change, name }) =>
      point(prices, market, name, words.changes(percent(change), market.group.change.month)),
    ),
    legend: [
      ...CHANGE_CLASSES.map((name, index) => [name, stepText(index)] as const).filter(([name]) =>
        used.has(name),
      ),
      ...pastEntry(changed.map(({ market }) => market)),
    ],
    note: [...(missing === 0 ? [] : [words.unmatched(missing)]), ...notes].join(' '),
  };
}

const point = (
  { asOf }: MappedPrices,
  { group, latitude, longitude }: PlacedMarket,
  name: MarketClass,
  number: string,
): MarketPoint => ({
  label: `${String(group.fields.market)}: ${number}`,
  address: addressOf(`/markets/${group.fields.market_id}`, { as_of: asOf }),
  latitude,
  longitude,
  class: name,
});

const pastEntry = (placed: readonly PlacedMarket[]) =>
  placed.some(({ isOld }) => isOld) ? [['past', words.past] as const] : [];

/** The changes of a class in words, from the one that falls most. */
function stepText(index: number): string {
  const [from, below] = [CHANGE_STEPS[index - 1], CHANGE_STEPS[index]];
  if (from === undefined) return words.below(percent(below!));
  return below === undefined ? words.above(percent(from)) : words.between(percent(from), percent(below));
}
