import type { operations, paths } from './api.js';

/** Addresses that can be read. */
export type Path = {
  [P in keyof paths]: paths[P] extends { get: { responses: { 200: unknown } } } ? P : never;
}[keyof paths];

type Get<P extends Path> = paths[P]['get'] extends infer O extends operations[keyof operations] ? O : never;

/** The parameters in the query of an address, without `format`: the client reads JSON. */
export type Query<P extends Path> =
  Get<P> extends { parameters: { query?: infer Q } } ? Omit<NonNullable<Q>, 'format'> : never;

/** The parameters in the path of an address; `undefined` where it has none. */
export type PathParameters<P extends Path> =
  Get<P> extends { parameters: { path: infer V extends Record<string, string | number> } } ? V : undefined;

/** The JSON of an address. */
export type Json<P extends Path> =
  Get<P> extends { responses: { 200: { content: { 'application/json': infer T } } } } ? T : never;

/** Addresses of lists in pages. */
export type ListPath = {
  [P in Path]: Json<P> extends { results: unknown[]; next: string | null } ? P : never;
}[Path];

/** An item of a list in pages. */
export type Item<P extends ListPath> = Json<P> extends { results: (infer T)[] } ? T : never;
