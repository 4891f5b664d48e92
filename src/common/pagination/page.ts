import { NotFound } from '../errors/api-error.js';
import { one, type ItemParser, ParseError } from '../filtering/parsers.js';

/** Items of a page when `page_size` is not given. */
export const DEFAULT_PAGE_SIZE = 100;

const pageNumber: ItemParser<number> = {
  read(text) {
    // Pages past the last are a 404, so any number of digits is a page number.
    return /^[1-9][0-9]*$/.test(text)
      ? Math.min(Number(text), Number.MAX_SAFE_INTEGER)
      : new ParseError('invalid_integer', 'is not a positive whole number.');
  },
  schema: { type: 'integer', minimum: 1 },
};

const pageSize: ItemParser<number> = {
  read(text, { maxPageSize }) {
    if (!/^[1-9][0-9]*$/.test(text))
      return new ParseError('invalid_integer', 'is not a positive whole number.');
    // Never cut silently: a client that asked for more must not take fewer for all there is.
    return Number(text) <= maxPageSize
      ? Number(text)
      : new ParseError('out_of_range', `is too much: page_size may be 1 to ${maxPageSize}.`, {
          max: maxPageSize,
        });
  },
  schema: { type: 'integer', minimum: 1 },
};

/** As `page_size`, for clients of the live FPMA tool, which cuts it to the maximum. */
const cutPageSize: ItemParser<number> = {
  read(text, context) {
    const size = pageSize.read(text, { ...context, maxPageSize: Infinity });
    return size instanceof ParseError ? size : Math.min(size, context.maxPageSize);
  },
  schema: pageSize.schema,
};

/** The two parameters of every paged list; spread them into its table. */
export const pageParameters = {
  page: one(pageNumber, 'Page to return, from 1.'),
  page_size: one(pageSize, `Items per page; ${DEFAULT_PAGE_SIZE} unless given.`),
};

/** The same where a `page_size` over the maximum is cut instead of refused. */
export const lenientPageParameters = {
  page: pageParameters.page,
  page_size: one(cutPageSize, 'Items per page; cut to the maximum.'),
};

/** Which slice of a list is wanted. */
export interface PageRequest {
  page: number;
  pageSize: number;
}

/** The page that the query asks for, with the defaults filled in. */
export function pageRequest(
  values: { page?: number; page_size?: number },
  defaultSize: number = DEFAULT_PAGE_SIZE,
): PageRequest {
  return { page: values.page ?? 1, pageSize: values.page_size ?? defaultSize };
}

/** Where a page begins and how long it is. */
export interface PageBounds {
  offset: number;
  limit: number;
  lastPage: number;
}

/**
 * Bounds of the page in a list of `count` items. The first page of an empty list is empty.
 * @throws NotFound with `last_page` for a page past the last
 */
export function pageBounds({ page, pageSize }: PageRequest, count: number): PageBounds {
  const lastPage = Math.max(1, Math.ceil(count / pageSize));
  if (page > lastPage) {
    throw new NotFound(`There is no page ${page}: the last one is ${lastPage}.`, { last_page: lastPage });
  }
  return { offset: (page - 1) * pageSize, limit: pageSize, lastPage };
}

/** One page of a list; `envelopeAnswer` makes the envelope of it. */
export class Page<T> {
  readonly lastPage: number;

  constructor(
    /** Items of the whole list. */
    readonly count: number,
    readonly items: readonly T[],
    readonly page: number,
    readonly pageSize: number,
    /** Entity tag, where a digest of the body will not do. */
    readonly etag?: string,
  ) {
    this.lastPage = Math.max(1, Math.ceil(count / pageSize));
  }
}
