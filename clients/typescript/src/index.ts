export type { components } from './api.js';
export type { Item, Json, ListPath, Path, PathParameters, Query } from './paths.js';
export { PriceData, type PriceDataOptions, type Reply, type RequestOptions } from './price-data.js';
export { type Problem, ProblemError } from './problem-error.js';
