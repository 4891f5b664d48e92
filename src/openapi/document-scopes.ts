import { BASE, PRICE_PREFIXES } from '../config/price-paths.js';

/** Which addresses one of the OpenAPI documents describes, and how it names them. */
export interface DocumentScope {
  readonly title: string;
  readonly description: string;
  /** Addresses before the paths. */
  readonly servers: readonly string[];
  /** The path in the document of a route with this pattern; null where it is not described. */
  path(pattern: string): string | null;
}

const SLASHES = 'Every path answers with and without a slash at its end, without a redirect.';

/** FPMA's shapes stand under the service's own prefix, too. */
const FPMA_SHAPES = `/${BASE}/Fpma`;
const [FPMA = '', ...OTHER_FPMA] = PRICE_PREFIXES.filter((prefix) => prefix !== BASE).map(
  (prefix) => `/${prefix}`,
);

/** What stands under each prefix of FPMA is described once, under paths relative to the prefix. */
export const fpmaScope: DocumentScope = {
  title: 'Price Data Service, addresses of FPMA',
  description:
    "The same data under the addresses and in the response shapes of FAO's FPMA tool. All paths " +
    'stand under both prefixes of FPMA, and under that of the service itself, which /openapi.json ' +
    `describes. ${SLASHES}`,
  servers: [FPMA, ...OTHER_FPMA, `/${BASE}`],
  path: (pattern) => (pattern.startsWith(`${FPMA}/`) ? pattern.slice(FPMA.length) : null),
};

export const serviceScope: DocumentScope = {
  title: 'Price Data Service',
  description:
    'Food prices: reference tables, price series and their prices. Reading is open to all; writing ' +
    `needs an access token. ${SLASHES} /openapi-fpma.json describes the addresses of FAO's FPMA tool.`,
  servers: ['/'],
  path: (pattern) =>
    [FPMA_SHAPES, ...fpmaScope.servers.slice(0, -1).map((server) => `${server}/`)].some((prefix) =>
      pattern.startsWith(prefix),
    )
      ? null
      : pattern,
};
