import { NotFound } from '../errors/api-error.js';
import type { ListFormat } from '../formats/list-format.js';
import type { PageInfo } from '../formats/listing.js';
import type { Sort } from './sort.js';
import { one, type ValueParser, ParseError } from '../validation/parsers.js';

/** Items per page if `page_size` is not given. */
export const DEFAULT_PAGE_SIZE = 100;

const pageNumber: ValueParser<number> = {
  parse(text) {
    // Any number of digits is valid: pages past the last are a 404.
    return /^[1-9][0-9]*$/.test(text)
      ? Math.min(Number(text), Number.MAX_SAFE_INTEGER)
      : new ParseError('invalid_integer', 'must be a positive integer.');
  },
  schema: { type: 'integer', minimum: 1 },
};

const pageSize: ValueParser<number> = {
  parse(text, { maxPageSize }) {
    if (!/^[1-9][0-9]*$/.test(text)) return new ParseError('invalid_integer', 'must be a positive integer.');
    // Never reduced silently: the client would take the shorter page for the whole list.
    return Number(text) <= maxPageSize
      ? Number(text)
      : new ParseError('out_of_range', `must be between 1 and ${maxPageSize}.`, { max: maxPageSize });
  },
  schema: { type: 'integer', minimum: 1 },
};

/** Like `pageSize`, but capped at the maximum, for clients that expect it. */
const clampedPageSize: ValueParser<number> = {
  parse(text, context) {
    const size = pageSize.parse(text, { ...context, maxPageSize: Infinity });
    return size instanceof ParseError ? size : Math.min(size, context.maxPageSize);
  },
  schema: pageSize.schema,
};

/** The two parameters of every paged list, to be spread into its parameter table. */
export const pageParameters = {
  page: one(pageNumber, 'Page to return, from 1.'),
  page_size: one(pageSize, `Items per page; ${DEFAULT_PAGE_SIZE} unless given.`),
};

/** The same, but a `page_size` over the maximum is reduced to it instead of rejected. */
export const lenientPageParameters = {
  page: pageParameters.page,
  page_size: one(clampedPageSize, 'Items per page, capped at the maximum.'),
};

/** The requested page of a list. */
export interface PageRequest {
  page: number;
  pageSize: number;
}

/** The requested page, with defaults for parameters that were not given. */
export function pageRequest(
  values: { page?: number; page_size?: number },
  defaultSize: number = DEFAULT_PAGE_SIZE,
): PageRequest {
  return { page: values.page ?? 1, pageSize: values.page_size ?? defaultSize };
}

/** The position of a page in its list. */
interface PageBounds {
  offset: number;
  limit: number;
  lastPage: number;
}

/**
 * The bounds of a page in a list of `count` items. The first page of an empty list is empty.
 * @throws NotFound with `last_page` for a page past the last
 */
export function pageBounds({ page, pageSize }: PageRequest, count: number): PageBounds {
  const lastPage = Math.max(1, Math.ceil(count / pageSize));
  if (page > lastPage) {
    const asked = page < Number.MAX_SAFE_INTEGER ? `page ${page}` : 'such page';
    throw new NotFound(`There is no ${asked}: the last one is ${lastPage}.`, { last_page: lastPage });
  }
  return { offset: (page - 1) * pageSize, limit: pageSize, lastPage };
}

/** One page of a list. */
export class Page<T> implements PageInfo {
  readonly lastPage: number;

  constructor(
    /** Number of items in the whole list. */
    readonly count: number,
    readonly items: readonly T[],
    readonly page: number,
    readonly pageSize: number,
  ) {
    this.lastPage = Math.max(1, Math.ceil(count / pageSize));
  }
}

/** The page that a list is asked for, and its order. */
export interface RequestedList {
  /** Null for all items. */
  readonly page: PageRequest | null;
  readonly sort: Sort;
}

/** The requested page and order of a list, by its parameters. */
export const requestedList = (
  values: Parameters<typeof requestedPage>[0] & { sort?: Sort },
  format: Pick<ListFormat, 'paged'>,
): RequestedList => ({ page: requestedPage(values, format), sort: values.sort ?? [] });

/** The requested page; null where none is asked for and the format has all items. */
export function requestedPage(
  values: { page?: number; page_size?: number },
  { paged }: Pick<ListFormat, 'paged'>,
  defaultSize?: number,
): PageRequest | null {
  const given = values.page !== undefined || values.page_size !== undefined;
  return given || paged ? pageRequest(values, defaultSize) : null;
}
