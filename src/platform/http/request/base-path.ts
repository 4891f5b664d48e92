/*
 * A service behind a path of another site, such as https://example.org/data. Inside, all paths
 * are as at the root of a host: the path is removed from requests, where the proxy has left it, and
 * added to what replies print.
 */

/** The path of an address, without a slash at its end: '' at the root of a host. */
export const basePathOf = (address: string | null): string =>
  address === null ? '' : new URL(address).pathname.replace(/\/$/, '');

/** The target of a request without the base path, if it has it. */
export function withoutBasePath(target: string, basePath: string): string {
  if (basePath === '' || !target.startsWith(basePath)) return target;
  const rest = target.slice(basePath.length);
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('?') ? `/${rest}` : target;
}

/** Attributes with an address of this service, as `html` and `chart` write them. */
const ADDRESSES = /(?:\s(?:href|src|action|formaction)="|\scontent="0; url=)(?=\/(?!\/))/g;

/**
 * A document whose addresses on this host begin with the base path; those that do already stay as
 * they are. Text has no bare quotes.
 */
export const underBasePath = (document: string, basePath: string): string =>
  basePath === ''
    ? document
    : document.replace(ADDRESSES, (attribute: string, offset: number) =>
        document.startsWith(`${basePath}/`, offset + attribute.length) ? attribute : attribute + basePath,
      );
