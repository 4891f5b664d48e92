import { QueryPairs } from '../http/query-pairs.js';
import { Reply, RowStream } from '../http/reply.js';
import { envelope, envelopeReply, jsonItems } from './envelope.js';
import { absoluteUrl, pageLink } from './links.js';
import { DEFAULT_PAGE_SIZE, lenientPageParameters, Page, pageBounds, pageRequest } from './page.js';

const source = (query = '', path = '/api/v1/PriceSerie/') => ({
  origin: 'https://prices.example.org',
  path,
  query: new QueryPairs(query),
});

describe('links', () => {
  it.each([
    ['', 2, '?page=2'],
    ['', 1, ''],
    ['page=2', 3, '?page=3'],
    ['page=2', 1, ''],
    ['page=2&a=b', 1, '?a=b'],
    ['a=b&page=2&c=d', 3, '?a=b&page=3&c=d'],
    ['a=b&page=&page=2', 3, '?a=b&page=3'],
    ['a=b&&c', 2, '?a=b&c&page=2'],
    ['a=%c3%a9+x%2Cy&_=123', 2, '?a=%c3%a9+x%2Cy&page=2'],
    ['%70age=2&a=b', 3, '?page=3&a=b'],
    ['a=<|>', 2, '?a=%3C%7C%3E&page=2'],
  ])('%s to page %i is %s', (query, page, expected) => {
    expect(pageLink(source(query), page)).toBe(`https://prices.example.org/api/v1/PriceSerie/${expected}`);
  });

  it('keep the prefix and the trailing slash as they were sent', () => {
    expect(pageLink(source('', '/giews/v4/price_module/api/v1/PriceSerie'), 2)).toBe(
      'https://prices.example.org/giews/v4/price_module/api/v1/PriceSerie?page=2',
    );
  });

  it('to other addresses are absolute', () => {
    expect(absoluteUrl(source(), '/api/v1/Cpi/5/')).toBe('https://prices.example.org/api/v1/Cpi/5/');
  });
});

describe('pages', () => {
  it('have defaults', () => {
    expect(pageRequest({})).toEqual({ page: 1, pageSize: DEFAULT_PAGE_SIZE });
    expect(pageRequest({ page: 3 }, 500)).toEqual({ page: 3, pageSize: 500 });
    expect(pageRequest({ page_size: 7 }, 500)).toEqual({ page: 1, pageSize: 7 });
  });

  it.each([
    [0, 1, { offset: 0, limit: 10, lastPage: 1 }],
    [10, 1, { offset: 0, limit: 10, lastPage: 1 }],
    [11, 2, { offset: 10, limit: 10, lastPage: 2 }],
    [95, 10, { offset: 90, limit: 10, lastPage: 10 }],
  ])('of %i items, page %i', (count, page, bounds) => {
    expect(pageBounds({ page, pageSize: 10 }, count)).toEqual(bounds);
  });

  it.each([
    [0, 2, 1],
    [10, 2, 1],
    [95, 11, 10],
  ])('of %i items, page %i is past the last, %i', (count, page, last) => {
    expect(() => pageBounds({ page, pageSize: 10 }, count)).toThrow(
      expect.objectContaining({ code: 'not_found', extra: { last_page: last } }),
    );
  });

  it('have a page size capped at the maximum with the lenient parameters', () => {
    const context = { now: 0, maxPageSize: 1000 };
    expect(lenientPageParameters.page_size.parse('page_size', ['5000'], context)).toEqual({ value: 1000 });
    expect(lenientPageParameters.page_size.parse('page_size', ['50'], context)).toEqual({ value: 50 });
    expect(lenientPageParameters.page_size.parse('page_size', ['0'], context)).toMatchObject({
      violations: [{ code: 'invalid_integer' }],
    });
  });
});

describe('envelopes', () => {
  const url = 'https://prices.example.org/api/v1/PriceSerie/';

  it.each([
    [1, `${url}?page=2`, null],
    [2, `${url}?page=3`, url],
    [3, null, `${url}?page=2`],
  ])('of page %i', (page, next, previous) => {
    const items = [{ id: 1 }];
    expect(envelope(new Page(21, items, page, 10), source(`page=${page}`))).toEqual({
      count: 21,
      next,
      previous,
      results: items,
    });
  });

  it('of an empty list', () => {
    expect(envelope(new Page(0, [], 1, 10), source())).toEqual({
      count: 0,
      next: null,
      previous: null,
      results: [],
    });
  });

  it.each([200, 201, 1000])('of %i items have the same text, streamed or not', (count) => {
    const items = Array.from({ length: count }, (_, id) => ({ id, name: `n${id}` }));
    const page = new Page(5000, items, 2, count, 'tag');
    const reply = envelopeReply(page, source());
    expect(reply).toBeInstanceOf(count > 200 ? RowStream : Reply);
    const text = reply instanceof Reply ? reply.body : [...(reply.parts as Iterable<string>)].join('');
    expect(text).toBe(JSON.stringify(envelope(page, source())));
    expect(reply.options).toEqual({ etag: 'tag' });
  });

  it('of no items have no chunks', () => {
    expect([...jsonItems([])]).toEqual([]);
  });
});
