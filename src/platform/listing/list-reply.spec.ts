import { QueryPairs } from '../validation/query-pairs.js';
import { Reply, RowStream } from '../http/reply.js';
import { listReply, type ListRequest } from './list-reply.js';
import { type Column, DeferredListing } from '../formats/listing.js';
import { maxRows } from '../formats/xlsx/xlsx.format.js';
import { RecordListing } from './record-listing.js';
import { absoluteUrl, pageLink } from './links.js';
import {
  DEFAULT_PAGE_SIZE,
  lenientPageParameters,
  pageParameters,
  Page,
  pageBounds,
  pageRequest,
} from './page.js';

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

  it('of a number that no double holds is past the last, and is not shown as another number', () => {
    const parsed = pageParameters.page.parse('page', ['9'.repeat(30)], { now: 0, maxPageSize: 1000 });
    const { value: page } = parsed as { value: number };
    expect(() => pageBounds({ page, pageSize: 10 }, 95)).toThrow(
      'There is no such page: the last one is 10.',
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

describe('list replies', () => {
  const url = 'https://prices.example.org/api/v1/PriceSerie/';
  const columns = [
    { name: 'id', type: 'integer' },
    { name: 'name', type: 'string' },
  ] as const;
  const request = (format: string, query = '') =>
    ({ ...source(query), format, fields: null, request: { method: 'GET', headers: {} } }) as ListRequest;
  const read = async (value: unknown) => {
    if (value instanceof Reply) return String(value.body.bytes);
    let text = '';
    for await (const chunk of (value as RowStream).chunks) text += String(chunk);
    return text;
  };
  const records = (count: number) => Array.from({ length: count }, (_, id) => ({ id, name: `n${id}` }));

  it.each([
    [1, `${url}?page=2`, null],
    [2, `${url}?page=3`, url],
    [3, null, `${url}?page=2`],
  ])('link page %i to its neighbours', async (page, next, previous) => {
    const results = records(1);
    const listing = RecordListing.of(columns, results, new Page(21, results, page, 10));
    const reply = listReply(listing, request('json', `page=${page}`));
    expect(JSON.parse(await read(reply))).toEqual({ count: 21, next, previous, results });
  });

  it('have an empty envelope for an empty list', async () => {
    const reply = listReply(RecordListing.of(columns, [], new Page(0, [], 1, 10)), request('json'));
    expect(await read(reply)).toBe('{"count":0,"next":null,"previous":null,"results":[]}');
  });

  it.each([200, 201, 1000])('of %i items have the same text, whole or streamed', async (count) => {
    const results = records(count);
    const page = new Page(5000, results, 2, count);
    const reply = listReply(RecordListing.of(columns, results, page), request('json', 'page=2'));
    expect(reply).toBeInstanceOf(count > 200 ? RowStream : Reply);
    const envelope = { count: 5000, next: `${url}?page=3`, previous: url, results };
    expect(await read(reply)).toBe(JSON.stringify(envelope));
  });

  it.each([
    ['json', '[{"id":0,"name":"n0"},{"id":1,"name":"n1"}]'],
    ['ndjson', '{"id":0,"name":"n0"}\n{"id":1,"name":"n1"}\n'],
    ['csv', 'id,name\r\n0,n0\r\n1,n1\r\n'],
  ])('of all items as %s have no envelope', async (format, text) => {
    const [first, second] = records(2);
    async function* batches() {
      yield [];
      yield [first!];
      yield [];
      yield [second!];
    }
    expect(await read(listReply(new RecordListing(columns, batches(), 'all'), request(format)))).toBe(text);
    expect(await read(listReply(RecordListing.of(columns, records(2), 'all'), request(format)))).toBe(text);
  });

  it.each([
    ['json', '[]'],
    ['ndjson', ''],
    ['csv', 'id,name\r\n'],
  ])('of no items as %s are %j', async (format, text) => {
    expect(await read(listReply(RecordListing.of(columns, [], 'all'), request(format)))).toBe(text);
  });

  it('guard texts in CSV, show nested values as JSON and null as nothing', async () => {
    const listing = RecordListing.of(
      columns,
      [
        { id: null, name: '=1' },
        { id: 2, name: { a: 'b,c' } },
      ],
      'all',
    );
    expect(await read(listReply(listing, request('csv')))).toBe(`id,name\r\n,'=1\r\n2,"{""a"":""b,c""}"\r\n`);
  });

  it('leave other values as they are', () => {
    for (const value of [null, undefined, 'text', 5, { id: 1 }, Reply.json({})])
      expect(listReply(value, request('json'))).toBe(value);
  });
});

describe('deferred lists', () => {
  const context = (method: string, headers: object = {}) =>
    ({ ...source(), format: 'csv', permit: {}, fields: null, request: { method, headers } }) as ListRequest;
  const columns = [{ name: 'id', type: 'integer' }] as const;

  it('are opened when they are read, and closed in the end', async () => {
    const events: string[] = [];
    const listing = Object.assign(RecordListing.of(columns, [{ id: 1 }], 'all'), {
      close: () => void events.push('closed'),
    });
    const deferred = new DeferredListing(
      async ({ name }) => (events.push(`opened as ${name}`), listing),
      async () => void events.push('checked'),
    );
    const { chunks } = (await listReply(deferred, context('GET'))) as RowStream;
    expect(events).toEqual([]);
    for await (const chunk of chunks) events.push(String(chunk));
    expect(events).toEqual(['opened as csv', 'id\r\n', '1\r\n', 'closed']);
  });

  it('are closed when they are not read to the end', async () => {
    let closed = 0;
    const listing = Object.assign(RecordListing.of(columns, [{ id: 1 }], 'all'), { close: () => closed++ });
    const deferred = new DeferredListing(
      async () => listing,
      async () => undefined,
    );
    const { chunks } = (await listReply(deferred, context('GET'))) as RowStream;
    for await (const chunk of chunks) if (chunk) break;
    expect(closed).toBe(1);
  });

  it.each([
    ['HEAD', {}],
    ['GET', { 'if-none-match': '*' }],
  ])('are checked for %s %j, which does not read them', async (method, headers) => {
    const missing = new Error('no such page');
    const deferred = new DeferredListing(
      () => Promise.reject(new Error('opened')),
      () => Promise.reject(missing),
    );
    await expect(listReply(deferred, context(method, headers))).rejects.toBe(missing);
  });
});

describe('workbooks', () => {
  const columns: Column[] = ['a', 'b'].map((name) => ({ name, type: 'integer' }));
  const records = (count: number) =>
    RecordListing.of(columns, Array<{ a: number }>(count).fill({ a: 1 }), 'all');
  const reply = (count: number, request: Partial<ListRequest> = {}) =>
    listReply(records(count), {
      format: 'xlsx',
      fields: null,
      path: '/',
      query: new QueryPairs(''),
      ...request,
    } as ListRequest);

  it('of lists that are too long are an error before anything of them is made', () => {
    const most = maxRows(2);
    expect(() => reply(most + 1)).toThrow(
      expect.objectContaining({
        violations: [expect.objectContaining({ code: 'too_many_items', max: most })],
      }),
    );
    // Fewer columns leave room for more rows.
    expect(reply(most + 1, { fields: ['a'] })).toBeInstanceOf(RowStream);
    expect(reply(most)).toBeInstanceOf(RowStream);
  });
});
