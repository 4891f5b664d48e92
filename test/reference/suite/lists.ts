import type { Response } from 'supertest';
import { expectProblem, queryViolation } from '../../support/problems.js';
import type { ReferenceTableCase } from '../reference-tables.js';
import { type TableClient } from '../table-client.js';

/** Tests of every reference table: lists. */
export function listTests(table: ReferenceTableCase, current: () => TableClient): void {
  const { whole, change, required, seeds } = table;
  let client: TableClient;
  beforeEach(() => void (client = current()));

  const createRecords = async (count: number) => {
    const records: object[] = [...seeds];
    for (let n = 1; n <= count; n++)
      records.push(client.record(await client.create(client.nth(n)), client.nth(n)));
    return records;
  };

  it('returns the envelope with page or page_size, and each record once across the pages', async () => {
    const records = await createRecords(7);
    const { count } = (await client.get('?page=1')).body as { count: number };
    expect(count).toBe(records.length);
    const walked: object[] = [];
    let next: string | null = `${client.path}?page_size=3&_=1`;
    for (let page = 1; next !== null; page++) {
      const { body }: Response = await client.service.http().get(next).expect(200);
      const base = expect.stringMatching(
        new RegExp(`^http://127\\.0\\.0\\.1:\\d+${client.path}\\?page_size=3`),
      );
      const last = page * 3 >= records.length;
      const previous = page === 1 ? null : base;
      const results = records.slice((page - 1) * 3, page * 3);
      expect(body).toEqual({ count: records.length, next: last ? null : base, previous, results });
      walked.push(...(body as { results: object[] }).results);
      next = (body as { next: string | null }).next?.replace(/^http:\/\/[^/]+/, '') ?? null;
    }
    expect(walked).toEqual(records);
    expectProblem(await client.get('?page=1000'), {
      status: 404,
      code: 'not_found',
      extra: { last_page: 1 },
    });
    expectProblem(await client.get('?page_size=3&page=99999999999999999999'), {
      status: 404,
      code: 'not_found',
      extra: { last_page: Math.ceil(records.length / 3) },
    });
    const errors = [
      queryViolation('page', 'invalid_integer'),
      queryViolation('page_size', 'out_of_range', { max: 10_000 }),
    ];
    expectProblem(await client.get('?page=0&page_size=10001'), { status: 400, code: 'invalid', errors });
    const empty = await client.get('?id=2147483647&page=1');
    expect(empty.body).toEqual({ count: 0, next: null, previous: null, results: [] });
  });

  it('is sorted by each field, and has the chosen ones', async () => {
    const records = (await createRecords(4)) as Record<string, string | number | boolean | null>[];
    const { compare } = new Intl.Collator('en');
    for (const field of Object.keys(records[0]!))
      for (const sign of [1, -1]) {
        const sorted = records.toSorted((one, other) => {
          const [a, b] = [one[field]!, other[field]!];
          if (a === null || b === null) return Number(a === null) - Number(b === null);
          return sign * (typeof a === 'string' ? compare(a, String(b)) : Number(a) - Number(b));
        });
        const query = `?sort=${sign > 0 ? '' : '-'}${field}&fields=${[...new Set([field, 'id'])].join(',')}`;
        const chosen = sorted.map((record) => ({ id: record.id, [field]: record[field] }));
        expect((await client.get(query)).body).toEqual(chosen);
        expect((await client.get(`${query}&page_size=2`)).body).toMatchObject({
          results: chosen.slice(0, 2),
        });
      }
  });

  it('filters by any field', async () => {
    const records = await createRecords(2);
    const id = await client.create();
    const record = client.record(id, whole);
    for (const [name, value] of Object.entries(record)) {
      const expected = [...records, record].filter(
        (other) => (other as Record<string, unknown>)[name] === value,
      );
      const query = `?${name}=${encodeURIComponent(quotedItem(value))}`;
      expect([query, (await client.get(query)).body]).toEqual([query, expected]);
      const page = await client.get(`${query}&page=1`);
      expect([query, page.body]).toEqual([
        query,
        { count: expected.length, next: null, previous: null, results: expected },
      ]);
    }
    expect((await client.get(`?id=${id},2147483647, ${(records.at(-1) as { id: number }).id}`)).body).toEqual(
      [records.at(-1), record],
    );
    expect((await client.get(`?id=${id}&id=2147483647`)).body).toEqual([record]);
    expect((await client.get('?id=2147483647')).body).toEqual([]);
    expect((await client.get(`?id=&${required[0]}=`)).body).toEqual([...records, record]);
  });

  it('compares texts case-folded, codes and numbers exactly', async () => {
    const id = await client.create();
    for (const [name, field] of Object.entries(table.fields)) {
      const value = whole[name] as string;
      if (field.kind !== 'text') continue;
      for (const form of [value.toUpperCase(), value.toLowerCase(), ` ${value} `, value.normalize('NFD')]) {
        const query = `?id=${id}&${name}=${encodeURIComponent(quotedItem(form))}`;
        expect([query, (await client.get(query)).body]).toEqual([query, [client.record(id, whole)]]);
      }
      const part = `?id=${id}&${name}=${encodeURIComponent(quotedItem([...value].slice(1).join('')))}`;
      expect([part, (await client.get(part)).body]).toEqual([part, []]);
    }
  });

  it('searches names ignoring case and accents', async () => {
    const id = await client.create();
    const search = encodeURIComponent(table.search);
    expect((await client.get(`?search=${search}`)).body).toEqual([client.record(id, whole)]);
    expect((await client.get(`?search=${search}&page_size=1`)).body).toEqual({
      count: 1,
      next: null,
      previous: null,
      results: [client.record(id, whole)],
    });
    expect((await client.get(`?search=${search}+zebra`)).body).toEqual([]);
    expect((await client.get(`?search=${search}&id=2147483647`)).body).toEqual([]);
    expectProblem(await client.get(`?search=zebra&page=2`), {
      status: 404,
      code: 'not_found',
      extra: { last_page: 1 },
    });
  });

  it('Q16, Q17: rejects unknown parameters and invalid values', async () => {
    const [field] = required;
    const errors = [
      { ...queryViolation(`${field}s`, 'unknown_parameter'), suggestion: field },
      queryViolation('page[size]', 'unknown_parameter'),
      queryViolation('id', 'invalid_item', { index: 1 }),
    ];
    expectProblem(await client.get(`?${field}s=1&page[size]=1&id=1,x`), {
      status: 400,
      code: 'invalid',
      errors,
    });
    expectProblem(await client.get('?search=a&search=b'), {
      status: 400,
      code: 'invalid',
      errors: [queryViolation('search', 'repeated_parameter')],
    });
  });

  it('supports CSV and NDJSON, for the whole list or one page', async () => {
    await client.clear();
    const records = await createRecords(3);
    const header = ['id', ...Object.keys(whole)].join(',');
    const asCsv = (rows: object[]) => [header, ...rows.map(csvLine), ''].join('\r\n');
    const asLines = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    for (const [query, rows] of [
      ['', records],
      ['page=2&page_size=2', records.slice(2, 4)],
      [`id=2147483647`, []],
      [`search=zebra`, []],
    ] as const) {
      const csv = await client.get(`?format=csv&${query}`).buffer(true);
      expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
      expect(csv.text).toBe(asCsv([...rows]));
      const lines = await client
        .get(`?${query}`, { Accept: 'application/x-ndjson' })
        .buffer(true)
        .parse(asText);
      expect(lines.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
      expect(lines.body).toBe(asLines([...rows]));
    }
    expectProblem(await client.get('', { Accept: 'image/png' }), { status: 406, code: 'not_acceptable' });
    expectProblem(await client.get('?format=xml'), {
      status: 400,
      code: 'invalid',
      errors: [queryViolation('format', 'invalid_choice')],
    });
  });

  it('shows a write in the next request', async () => {
    for (let n = 1; n <= 3; n++) {
      const before = ((await client.get()).body as object[]).length;
      const id = await client.create(client.nth(n));
      expect((await client.get()).body).toHaveLength(before + 1);
      await client.patch(id, change).expect(200);
      expect(((await client.get()).body as object[]).at(-1)).toMatchObject(change);
    }
  });
}

/** A value as an item of a list parameter. */
const quotedItem = (value: unknown) =>
  typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : String(value);

function csvLine(record: object): string {
  return Object.values(record)
    .map((value) => {
      const text = value === null ? '' : String(value);
      const guarded = typeof value === 'string' && /^[=+\-@\t\r']/.test(text) ? `'${text}` : text;
      return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
    })
    .join(',');
}

function asText(response: Response, done: (error: Error | null, text: string) => void): void {
  const chunks: Buffer[] = [];
  const stream = response as unknown as NodeJS.ReadableStream;
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => done(null, Buffer.concat(chunks).toString()));
}
