import type { Json } from '../fuzz/api-document.js';
import type { ClientRequest } from './client-service.js';

/** Addresses and parameters of requests that the API document does not have. */
export function undocumented(document: Json, requests: readonly ClientRequest[]): string[] {
  return requests.flatMap(({ url }) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const address = pathname.replace(/\/$/, '');
    const matches = (pattern: string) =>
      new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(address);
    const path = address in document.paths! ? address : Object.keys(document.paths!).find(matches);
    if (path === undefined) return [pathname];
    const parameters = document.paths![path]!.get!.parameters as unknown as { name: string }[];
    const known = new Set(parameters.map(({ name }) => name));
    return [...searchParams.keys()].filter((name) => !known.has(name)).map((name) => `${path}?${name}`);
  });
}
