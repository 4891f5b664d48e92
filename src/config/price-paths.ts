/** Address of the price interface, version 1. */
export const BASE = 'api/v1';

/** The addresses of the price interface: its own, and those of FAO's FPMA tool. */
export const PRICE_PREFIXES: readonly string[] = [
  BASE,
  'giews/v4/price_module/api/v1',
  'giews/v4/global/price_module/api/v1',
];

/** The paths of a resource under every prefix, for `@Controller(pricePaths('Commodity'))`. */
export const pricePaths = (name: string): string[] => PRICE_PREFIXES.map((prefix) => `${prefix}/${name}`);
