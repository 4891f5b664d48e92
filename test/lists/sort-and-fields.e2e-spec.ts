import { parquetReadObjects } from 'hyparquet';
import readExcelFile from 'read-excel-file/node';
import type { Json } from '../fuzz/api-document.js';
import { getFile, listAddresses } from '../formats/files.js';
import { expectProblem } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { COMPARED, createListsData } from './lists-data.js';

type Row = Record<string, unknown>;

const PRICES = '/api/v1/PriceSeriePrice';
/** Lists without `sort`, and why. */
const UNSORTED: Readonly<Record<string, string>> = {
  '/api/v1/PriceTable': 'its columns are series, its rows are dates',
  [`${PRICES}/{uuid}`]: 'it is one series, whose points are newest first',
};
/** Lists without `fields`. */
const WHOLE = ['/api/v1/PriceTable'];
/** Lists that have nothing in them here but one item, or none. */
const SHORT = [`${PRICES}/differences`, `${PRICES}/{uuid}/differences`, `${PRICES}/{uuid}/{id}/versions`];
/** Lists whose items have several rows in tables: sorted and chosen are the items. */
const GROUPED = [PRICES, `${PRICES}/{uuid}`, '/api/v1/PriceAggregate'];
/** Single items, with the member that has the rows. */
const SINGLE: Readonly<Record<string, string>> = {
  '/api/v1/PriceCompare': 'observations',
  '/api/v1/PriceSerieIndicator/{uuid}': 'observations',
};

interface List {
  path: string;
  /** Ends with `?` or `&`. */
  address: string;
  sorts: readonly string[];
  fields: readonly string[];
}

/** Milliseconds for a walk through all lists: hundreds of requests each. */
const WALK = 600_000;

/** Fields of lists as this test asks for them that other parameters leave out. */
const OTHER_DIMENSIONS = ['admin_unit', 'market', 'market_id', 'category', 'source', 'source_id'];
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  '/api/v1/PriceAggregate': [...OTHER_DIMENSIONS, 'index_base', 'series', 'matched'],
  '/api/v1/PriceChange': [...OTHER_DIMENSIONS, 'index_base'],
  '/api/v1/PriceSeason': [...OTHER_DIMENSIONS, 'index_base'],
  '/api/v1/PriceSerieIndicator/{uuid}': ['year', 'n_months', 'partial'],
  ...Object.fromEntries(
    ['', 'Domestic', 'International'].map((name) => [`/api/v1/PriceSerie${name}`, ['status']]),
  ),
  '/api/v1/PriceWarning': ['category', 'commodity_id', 'commodity'],
  '/api/v1/PriceWarningChange': ['category', 'commodity_id', 'commodity'],
};

const collator = new Intl.Collator('en');

/** The order of two values of a column: nulls are last whichever way it is sorted. */
function compare(one: unknown, other: unknown, descending: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const ascending =
    typeof one === 'string' && typeof other === 'string'
      ? collator.compare(one, other) || Number(one > other) - Number(one < other)
      : Number(one) - Number(other);
  return descending ? -ascending : ascending;
}

const sortedBy = (rows: readonly Row[], keys: readonly string[]): Row[] =>
  rows.toSorted((one, other) => {
    for (const key of keys) {
      const column = key.replace(/^-/, '');
      const order = compare(one[column] ?? null, other[column] ?? null, key.startsWith('-'));
      if (order !== 0) return order;
    }
    return 0;
  });

describe('every list', () => {
  let service: TestApp;
  let lists: List[];
  let authorization: { Authorization: string };
  beforeAll(async () => {
    service = await startTestApp({ THROTTLE_READS: '0' });
    await createListsData(service);
    authorization = await service.authHeader();
    const { paths } = (await service.http().get('/openapi.json').expect(200)).body as Json;
    const addresses = await listAddresses(service, COMPARED, {
      mapping: 'listed-0',
      harvest: 'listed-0',
    });
    const listed = Object.keys(paths!).filter(
      (path) =>
        path.startsWith('/api/v1/') &&
        JSON.stringify(paths![path]!.get?.responses ?? '').includes('text/csv'),
    );
    lists = addresses.map((address, index) => {
      const path = listed[index]!;
      const named = (parameter: string): string[] => {
        const parameters = paths![path]!.get!.parameters as unknown as { name: string; schema: Json }[];
        return (parameters.find(({ name }) => name === parameter)?.schema.items!.enum ??
          []) as unknown as string[];
      };
      return { path, address, sorts: named('sort'), fields: named('fields') };
    });
  });
  afterAll(() => service.close());

  const get = (address: string) =>
    service
      .http()
      .get(address)
      .set(authorization)
      .then((reply) => reply);
  const text = async (address: string): Promise<string> => {
    const { bytes, status } = await getFile(service, address, '*/*', authorization);
    const body = Buffer.from(bytes).toString();
    if (status !== 200) throw new Error(`${address}: ${status} ${body}`);
    return body;
  };
  const items = async (address: string): Promise<Row[]> =>
    (await text(`${address}&format=ndjson`))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Row);
  const rows = async (address: string): Promise<Row[]> => {
    const { bytes, status } = await getFile(service, `${address}&format=parquet`, '*/*', authorization);
    if (status !== 200) throw new Error(`${address}: ${status} ${Buffer.from(bytes).toString()}`);
    return parquetReadObjects({ file: bytes });
  };
  const whole = (list: List) => list.address.replace(/[?&]$/, list.address.endsWith('?') ? '?_=1' : '');

  it('has sort and fields, but for what is told here', () => {
    expect(lists.length).toBeGreaterThan(25);
    expect(lists.filter(({ sorts }) => sorts.length === 0).map(({ path }) => path)).toEqual(
      expect.arrayContaining(Object.keys(UNSORTED)),
    );
    expect(lists.filter(({ sorts }) => sorts.length === 0)).toHaveLength(Object.keys(UNSORTED).length);
    expect(lists.filter(({ fields }) => fields.length === 0).map(({ path }) => path)).toEqual(WHOLE);
  });

  it(
    'is sorted by each of its columns, up and down',
    async () => {
      for (const list of lists) {
        if (list.path === PRICES) continue;
        const address = whole(list);
        const all = await rows(address);
        if (!SHORT.includes(list.path)) expect([list.path, all.length > 1]).toEqual([list.path, true]);
        for (const sort of list.sorts) {
          if (!(sort.replace(/^-/, '') in (all[0] ?? {}))) {
            // A column that other parameters add.
            expect([sort, (await get(`${address}&sort=${sort}`)).status]).toEqual([
              sort,
              SHORT.includes(list.path) ? 200 : 400,
            ]);
            continue;
          }
          const sorted = await rows(`${address}&sort=${sort}`);
          expect([list.path, sort, sorted]).toEqual([list.path, sort, sortedBy(all, [sort])]);
        }
      }
    },
    WALK,
  );

  it(
    'is sorted by several columns, and pages of it are the whole list',
    async () => {
      for (const list of lists.filter(({ sorts }) => sorts.length > 0)) {
        const address = whole(list);
        const all = await rows(address);
        const columns = Object.keys(all[0] ?? {}).filter((column) => list.sorts.includes(column));
        for (const [index, column] of columns.entries()) {
          const keys = [`-${columns.at(index - 1)}`, column].filter(
            (key, at) => at === 1 || key !== `-${column}`,
          );
          const sorted = `${address}&sort=${keys.join(',')}`;
          if (list.path !== PRICES) expect([keys, await rows(sorted)]).toEqual([keys, sortedBy(all, keys)]);
          if (list.path in SINGLE || /differences|versions/.test(list.path)) continue;
          const joined: unknown[] = [];
          for (let next: string | null = `${sorted}&page_size=3&fields=${list.fields[0]}`; next !== null;) {
            const { body } = (await get(next)) as { body: { results: Row[]; next: string | null } };
            joined.push(...body.results);
            next = body.next && decodeURIComponent(new URL(body.next).pathname + new URL(body.next).search);
          }
          expect(joined).toEqual(await items(`${sorted}&fields=${list.fields[0]}`));
        }
      }
    },
    WALK,
  );

  it(
    'of prices is sorted by the columns of the lists of series',
    async () => {
      const list = lists.find(({ path }) => path === PRICES)!;
      const uuids = async (address: string) => (await items(address)).map((item) => item.uuid);
      const priced = new Set(await uuids(`${PRICES}/?_=1`));
      const points = new Map((await items(`${PRICES}/?_=1`)).map((item) => [item.uuid, item]));
      expect(list.sorts).toEqual(lists.find(({ path }) => path === '/api/v1/PriceSerie')!.sorts);
      for (const sort of list.sorts) {
        const series = await uuids(`/api/v1/PriceSerie/?sort=${sort}`);
        const sorted = await items(`${PRICES}/?sort=${sort}`);
        expect(sorted).toEqual(series.filter((uuid) => priced.has(uuid)).map((uuid) => points.get(uuid)));
      }
    },
    WALK,
  );

  it(
    'has the chosen fields, each alone and several together',
    async () => {
      for (const list of lists) {
        if (list.fields.length === 0 || (list.path.startsWith(PRICES) && GROUPED.includes(list.path)))
          continue;
        const address = whole(list);
        const all = await items(address);
        const table = await rows(address);
        const header = (await text(`${address}&format=csv`)).split('\r\n')[0]!.split(',');
        const served: string[] = [];
        for (const field of list.fields) {
          if (LEFT_OUT[list.path]?.includes(field)) {
            const { status } = await get(`${address}&fields=${field}`);
            expect([list.path, field, status]).toEqual([list.path, field, 400]);
            continue;
          }
          served.push(field);
          const chosen = await items(`${address}&fields=${field}`);
          expect(chosen).toHaveLength(all.length);
          for (const [index, item] of all.entries()) {
            const names = Object.keys(chosen[index]!);
            expect([field, names.length]).toEqual([field, names.length === 0 ? 0 : 1]);
            if (field in item) expect(chosen[index]).toEqual({ [field]: item[field] });
            else for (const name of names) expect(chosen[index]![name]).toEqual(item[name]);
          }
          if (!header.includes(field)) continue;
          const cells = table.map((row) => row[field]);
          const some = await rows(`${address}&fields=${field}`);
          expect([list.path, some.map((row) => row[field])]).toEqual([list.path, cells]);
        }
        const every = served.toReversed().join(',');
        for (const format of ['csv', 'ndjson', 'json'])
          expect(withoutLinks(await text(`${address}&fields=${every}&format=${format}`))).toBe(
            withoutLinks(await text(`${address}&format=${format}`)),
          );
      }
    },
    WALK,
  );

  it('rejects fields that other parameters leave out, in every format and to HEAD', async () => {
    const cases: [string, string][] = [
      ['PriceChange/?by=country&fields=iso3_country_code,market', 'market'],
      ['PriceChange/?by=country&fields=index_base', 'index_base'],
      ['PriceChange/?by=country&iso3_country_codes=QQQ&fields=commodity', 'commodity'],
      ['PriceAggregate/?by=commodity&fields=country_name', 'country_name'],
      ['PriceAggregate/?fields=series', 'series'],
      ['PriceWarning/?by=country&fields=category', 'category'],
    ];
    for (const [address, field] of cases)
      for (const format of ['json', 'ndjson', 'csv', 'xlsx', 'parquet']) {
        const path = `/api/v1/${address}&format=${format}`;
        const reply = await get(path);
        expectProblem(reply, { status: 400, code: 'invalid' });
        const [error, ...others] = (reply.body as { errors: Row[] }).errors;
        expect(others).toEqual([]);
        expect(error).toMatchObject({ in: 'query', name: 'fields', code: 'invalid_choice' });
        expect(error!.detail).toContain(`has no column ${field}: fields must be among `);
        expect(error!.allowed).not.toContain(field);
        expect((await service.http().head(path)).status).toBe(400);
      }
    expect((await get('/api/v1/PriceAggregate/?series=true&fields=series&format=csv')).status).toBe(200);
  });

  it(
    'has the chosen fields of series beside the points',
    async () => {
      const list = lists.find(({ path }) => path === PRICES)!;
      const series = new Map((await items('/api/v1/PriceSerie/?_=1')).map((entry) => [entry.uuid, entry]));
      const all = await items(`${PRICES}/?_=1`);
      const lines = await rows(`${PRICES}/?_=1`);
      const pointColumns = Object.keys(lines[0]!).slice(24);
      for (const field of list.fields.filter((name) => name !== 'status')) {
        const chosen = await items(`${PRICES}/?fields=${field}`);
        for (const [index, { uuid, datapoints }] of all.entries()) {
          const [name] = Object.keys(chosen[index]!.series as object);
          expect(name).toBe(field);
          const entry = series.get(uuid)!;
          if (field in entry)
            expect(chosen[index]).toEqual({ uuid, series: { [field]: entry[field] }, datapoints });
          const one = await get(`${PRICES}/${String(uuid)}/?fields=${field}`);
          expect(one.body).toEqual(chosen[index]);
        }
        const some = await rows(`${PRICES}/?fields=${field}`);
        const columns = field === 'periodicity' ? pointColumns : [field, ...pointColumns];
        expect(Object.keys(some[0]!)).toEqual(columns);
        if (field in lines[0]!)
          expect(some).toEqual(
            lines.map((line) => Object.fromEntries(columns.map((each) => [each, line[each]]))),
          );
        const [header] = (await text(`${PRICES}/?fields=${field}&format=csv`)).split('\r\n');
        expect(header).toBe(columns.join(','));
      }
    },
    WALK,
  );

  it(
    'is sorted and has the chosen fields in every format',
    async () => {
      for (const list of lists.filter(({ sorts }) => sorts.length > 0)) {
        const all = await rows(whole(list));
        if (all.length === 0) continue;
        const columns = Object.keys(all[0]!).filter(
          (column) => list.sorts.includes(column) && list.fields.includes(column),
        );
        const [first, second] = [columns.at(-1)!, columns[0]!];
        const address = `${whole(list)}&sort=-${first}&fields=${first},${second}`;
        const sorted = await rows(address);
        const names = Object.keys(sorted[0]!);
        if (!GROUPED.includes(list.path)) expect(new Set(names)).toEqual(new Set([first, second]));
        const csv = (await text(`${address}&format=csv`)).split('\r\n');
        expect(csv[0]).toBe(names.join(','));
        expect(csv).toHaveLength(sorted.length + 2);
        const workbook = await getFile(service, `${address}&format=xlsx`, '*/*', authorization);
        const sheets = await readExcelFile(Buffer.from(workbook.bytes));
        expect(sheets[0]!.data.map((row) => row.map(String))[0]).toEqual(names);
        expect(sheets[0]!.data).toHaveLength(sorted.length + 1);
        if (!(list.path in SINGLE)) {
          const { body } = (await get(address)) as { body: { results?: Row[] } & Row[] };
          const lines = await items(address);
          expect(body.results ?? body).toEqual(lines.slice(0, 100));
        } else {
          const { body } = (await get(address)) as { body: Record<string, Row[]> };
          expect(body[SINGLE[list.path]!]!.map((row) => Object.keys(row))).toEqual(
            (await items(address)).map((row) => Object.keys(row).filter((name) => name !== 'uuid')),
          );
        }
      }
    },
    WALK,
  );

  it(
    'rejects what is no column of it',
    async () => {
      for (const list of lists.filter(({ sorts }) => sorts.length > 0)) {
        const violations = async (query: string) => {
          const reply = await get(`${whole(list)}&${query}`);
          expectProblem(reply, { status: 400, code: 'invalid' });
          return (reply.body as { errors: Row[] }).errors;
        };
        const columns = list.sorts.filter((sort) => !sort.startsWith('-'));
        const column = columns.find((name) => name.length > 4) ?? columns[0]!;
        const typo = `${column}x`;
        expect(await violations(`sort=-${typo}`)).toEqual([
          expect.objectContaining({
            in: 'query',
            name: 'sort',
            code: 'invalid_choice',
            index: 0,
            allowed: columns,
            suggestion: `-${column}`,
          }),
        ]);
        expect(await violations(`fields=${typo},${column}`)).toEqual([
          expect.objectContaining({ name: 'fields', code: 'invalid_choice', index: 0, allowed: list.fields }),
        ]);
        for (const field of list.fields.filter((name) => !columns.includes(name)))
          expect(await violations(`sort=${field}`)).toMatchObject([{ name: 'sort', code: 'invalid_choice' }]);
        expect(await violations(`sort=${column},-${column}`)).toMatchObject([
          { name: 'sort', code: 'invalid_item', index: 1, detail: `Item 2 of sort names ${column} again.` },
        ]);
        expect(await violations(`fields=${column},${column}`)).toMatchObject([
          { name: 'fields', code: 'invalid_item', index: 1 },
        ]);
        for (const empty of [`sort=${column},`, 'sort=-', `fields=,${column}`])
          expect(await violations(empty)).toMatchObject([{ code: 'invalid_item' }]);
      }
    },
    WALK,
  );

  it('keeps both in links, and is another reply for another order or choice', async () => {
    const address = '/api/v1/PriceSerie/?sort=-market,uuid&fields=uuid,market&page_size=3&page=2';
    const { body, headers } = await get(address);
    const { next, previous } = body as { next: string; previous: string };
    expect(new URL(next).search).toBe('?sort=-market,uuid&fields=uuid,market&page_size=3&page=3');
    expect(new URL(previous).search).toBe('?sort=-market,uuid&fields=uuid,market&page_size=3');
    for (const other of [address.replace('-market', 'market'), address.replace('&fields=uuid,market', '')]) {
      const reply = await get(other);
      expect(reply.headers.etag).not.toBe(headers.etag);
      expect(reply.body).not.toEqual(body);
      expect((await get(other)).body).toEqual(reply.body);
    }
  });

  it('of indicators has one order at once', async () => {
    const reply = await get('/api/v1/PriceSerieIndicator/?order=ifpa&sort=date');
    expectProblem(reply, { status: 400, code: 'invalid' });
    expect((reply.body as { errors: Row[] }).errors).toMatchObject([
      { name: 'order', code: 'contradiction' },
      { name: 'sort', code: 'contradiction' },
    ]);
  });

  it('has neither under the addresses of FPMA', async () => {
    for (const path of ['FpmaSerie/', 'FpmaSeriePrice/', `FpmaSeriePrice/${COMPARED[0]}/`]) {
      const plain = await get(`/api/v1/${path}`);
      const asked = await get(`/api/v1/${path}?sort=-uuid&fields=uuid`);
      expect(asked.body).toEqual(plain.body);
      expect(asked.headers['x-ignored-parameters']).toBe('sort, fields');
    }
  });
});

const withoutLinks = (body: string) =>
  body.replace(/^\{"count":(\d+),"next":[^,]*,"previous":[^,]*,/, '{"count":$1,');
