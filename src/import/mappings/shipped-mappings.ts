import agmarknet from './shipped/agmarknet.json' with { type: 'json' };
import blsAveragePrices from './shipped/bls-average-prices.json' with { type: 'json' };
import ecbRates from './shipped/ecb-rates.json' with { type: 'json' };
import faostatProducerPrices from './shipped/faostat-producer-prices.json' with { type: 'json' };
import fewsNet from './shipped/fews-net.json' with { type: 'json' };
import fredRates from './shipped/fred-rates.json' with { type: 'json' };
import hdxHapi from './shipped/hdx-hapi.json' with { type: 'json' };
import nbsNigeria from './shipped/nbs-nigeria.json' with { type: 'json' };
import pinkSheet from './shipped/pink-sheet.json' with { type: 'json' };
import rtfp from './shipped/rtfp.json' with { type: 'json' };
import sniim from './shipped/sniim.json' with { type: 'json' };
import type { Mapping } from './mapping.js';

/** The mappings that are a part of the service, by their names. A test validates them. */
export const shippedMappings: ReadonlyMap<string, Mapping> = new Map(
  (
    [
      ...[fewsNet, hdxHapi, agmarknet, pinkSheet, rtfp, sniim],
      ...[faostatProducerPrices, blsAveragePrices, nbsNigeria, ecbRates, fredRates],
    ] as readonly Mapping[]
  ).map((mapping) => [mapping.name, mapping]),
);

/** Options with the mapping of a format that is a shipped one. */
export function withMapping<Options extends { readonly mapping?: Mapping | undefined }>(
  format: string,
  options: Options,
): Options {
  const mapping = options.mapping ?? shippedMappings.get(format);
  return mapping === undefined ? options : { ...options, mapping };
}
