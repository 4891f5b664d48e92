import { jest } from '@jest/globals';
import { AuditTrail } from '../../src/ledger/audit/audit-trail.js';
import { ImportProcess } from '../../src/import/process/import-process.js';
import { shippedMappings } from '../../src/import/mappings/shipped-mappings.js';
import { expectProblem } from '../support/problems.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** A mapping, as maintainers send it. */
const mappingOf = (name: string, more: object = {}) => ({
  name,
  title: 'Bulletin of the ministry',
  table: 'prices',
  fields: {
    iso3_country_code: { value: 'MLI' },
    market: { column: 'Marché' },
    commodity: { column: 'Produit' },
    measure_unit: { value: 'kg' },
    currency: { value: 'XOF' },
    price_type: { value: 'RETAIL' },
    source: { value: 'OMA' },
    date: { column: 'Mois', format: '%B %Y', language: 'fr' },
    periodicity: { value: 'monthly' },
    price_value: { column: 'Prix', decimalChar: ',' },
  },
  ...more,
});

const NOW = '2026-11-21T12:00:00.000Z';
const entryOf = (name: string, version: number, changeSetId: number, saved = NOW) => ({
  name,
  title: 'Bulletin of the ministry',
  table: 'prices',
  shipped: false,
  version,
  saved_at: saved,
  change_set_id: changeSetId,
});

describe('mappings', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
  });
  afterEach(() => service?.close());

  const send = (method: 'post' | 'put' | 'patch' | 'delete', path: string, body?: object | string) => {
    const request = service.http()[method](`/api/v1/${path}`).set(admin);
    return body === undefined ? request : request.type('json').send(body);
  };
  const get = (path: string) => service.http().get(`/api/v1/${path}`);
  const stored = async () =>
    ((await get('Mapping/?shipped=false').expect(200)).body as { results: object[] }).results;

  it('are those of the service at first, whole readable, and can be stored under another name', async () => {
    const { body } = await get('Mapping/').expect(200).expect('Cache-Control', 'public, no-cache');
    const names = [...shippedMappings.keys()].sort();
    expect(body).toEqual({
      count: names.length,
      next: null,
      previous: null,
      results: names.map((name) => ({
        name,
        title: shippedMappings.get(name)!.title ?? '',
        table: shippedMappings.get(name)!.table,
        shipped: true,
        version: null,
        saved_at: null,
        change_set_id: null,
      })),
    });
    const name = names[0]!;
    const shipped = await get(`Mapping/${name}/`).expect(200);
    expect((shipped.body as { mapping: object }).mapping).toEqual(shippedMappings.get(name));
    await get(`Mapping/${name}/`).set('If-None-Match', shipped.headers.etag!).expect(304);
    expect((await get(`Mapping/${name}/versions/`).expect(200)).body).toMatchObject({ count: 0 });
    const copy = { ...shippedMappings.get(name)!, name: 'our-copy' };
    await send('post', 'Mapping/', copy).expect(201);
    expect(((await get('Mapping/our-copy/').expect(200)).body as { mapping: object }).mapping).toEqual(copy);
  });

  it('are stored, read, replaced and removed, and each save makes a version', async () => {
    const created = await send('post', 'Mapping/?reason=The%20new%20bulletin', mappingOf('mali-oma'));
    expect(created.body).toEqual(entryOf('mali-oma', 1, 2));
    expect(created.status).toBe(201);
    expect(created.headers).toMatchObject({
      etag: '"1"',
      location: expect.stringMatching(/\/api\/v1\/Mapping\/mali-oma\/$/),
      'cache-control': 'no-store',
    });
    const read = await get('Mapping/mali-oma/').expect(200).expect('ETag', '"1"');
    expect(read.body).toEqual({ ...entryOf('mali-oma', 1, 2), mapping: mappingOf('mali-oma') });
    await get('Mapping/mali-oma').set('If-None-Match', '"1"').expect(304);

    service.clock.milliseconds += 60_000;
    const later = '2026-11-21T12:01:00.000Z';
    const changed = mappingOf('mali-oma', { missingValues: ['', 'n/d'] });
    const replaced = await send('put', 'Mapping/mali-oma/', changed).set('If-Match', '"1"').expect(200);
    expect(replaced.body).toEqual(entryOf('mali-oma', 2, 3, later));
    expect(replaced.headers.etag).toBe('"2"');
    // The same again changes nothing.
    expect((await send('put', 'Mapping/mali-oma/', changed).expect(200)).body).toEqual(replaced.body);
    expect(await stored()).toEqual([entryOf('mali-oma', 2, 3, later)]);

    service.clock.milliseconds += 60_000;
    await send('delete', 'Mapping/mali-oma/').set('If-Match', '"1"').expect(412);
    await send('delete', 'Mapping/mali-oma/').set('If-Match', '"2"').expect(204);
    expectProblem(await send('delete', 'Mapping/mali-oma/'), { status: 404, code: 'not_found' });
    expectProblem(await get('Mapping/mali-oma/'), { status: 404, code: 'not_found' });
    expectProblem(await send('put', 'Mapping/mali-oma/', changed), { status: 404, code: 'not_found' });
    expect(await stored()).toEqual([]);

    const versions = await get('Mapping/mali-oma/versions/').expect(200);
    const version = { title: 'Bulletin of the ministry', table: 'prices' };
    const first = { version: 1, ...version, saved_at: NOW, ended_at: later, change_set_id: 2 };
    const second = { version: 2, ...version, saved_at: later, ended_at: '2026-11-21T12:02:00.000Z' };
    expect(versions.body).toEqual({
      count: 2,
      next: null,
      previous: null,
      results: [{ ...second, change_set_id: 3 }, first],
    });
    expect((await get('Mapping/mali-oma/versions/1/').expect(200)).body).toEqual({
      ...entryOf('mali-oma', 1, 2),
      mapping: mappingOf('mali-oma'),
    });

    // A number is never used again, so no earlier tag is that of another mapping.
    const again = await send('post', 'Mapping/', mappingOf('mali-oma')).expect(201).expect('ETag', '"3"');
    expect(again.body).toMatchObject({ version: 3 });
    for (const path of ['versions/4/', 'versions/0/', 'versions/x/'])
      expectProblem(await get(`Mapping/mali-oma/${path}`), { status: 404, code: 'not_found' });
    expectProblem(await get('Mapping/other/versions/'), { status: 404, code: 'not_found' });
  });

  it('are told by change sets and the audit log, and are none of the data', async () => {
    await send('post', 'Commodity/', { name: 'Maize' }).expect(201);
    const before = await service.revision.refresh();
    const page = await get('Commodity/').expect(200);
    await send('post', 'Mapping/?reason=New', mappingOf('mali-oma')).expect(201);
    await send('put', 'Mapping/mali-oma/', mappingOf('mali-oma', { title: 'Other' })).expect(200);
    await send('delete', 'Mapping/mali-oma/').expect(204);
    expect(await service.revision.refresh()).toEqual(before);
    const { body } = await get('ChangeSet/').expect(200);
    const changeSet = {
      kind: 'record',
      state: 'done',
      started_at: NOW,
      ended_at: NOW,
      first_revision: null,
      last_revision: null,
      input: '',
      format: 'mali-oma',
      digest: '',
      source: '',
      reason: '',
      counts: null,
      reverted_by: null,
    };
    expect((body as { results: object[] }).results.slice(0, 3)).toEqual([
      { id: 5, ...changeSet },
      { id: 4, ...changeSet },
      { id: 3, ...changeSet, reason: 'New' },
    ]);
    expectProblem(await send('post', 'ChangeSet/3/revert/'), { status: 409, code: 'not_revertible' });
    const { body: feed } = await get('Changes/').expect(200);
    const tables = (feed as { results: { table?: string }[] }).results.map(({ table }) => table);
    expect(tables).toEqual([...Array<string>(4).fill('PriceType'), 'Commodity']);
    const { body: log } = await get('AuditLog/?table=mapping').set(admin).expect(200);
    const row = { name: 'mali-oma', title: 'Bulletin of the ministry', table_name: 'prices' };
    expect(log).toMatchObject({
      count: 3,
      results: [
        { action: 'delete', before: { ...row, title: 'Other', version: 2 }, after: null, change_set_id: 5 },
        {
          action: 'update',
          before: { version: 1, title: 'Bulletin of the ministry' },
          after: { version: 2, title: 'Other' },
          change_set_id: 4,
        },
        { action: 'create', before: null, after: { ...row, version: 1 }, change_set_id: 3 },
      ],
    });
    await get('Commodity/').set('If-None-Match', page.headers.etag!).expect(304);
  });

  it('of the service are changed by nobody', async () => {
    const shipped = shippedMappings.get('fews-net')!;
    expectProblem(await send('post', 'Mapping/', shipped), { status: 409, code: 'built_in' });
    expectProblem(await send('put', 'Mapping/fews-net/', shipped), { status: 409, code: 'built_in' });
    const response = await send('delete', 'Mapping/fews-net/');
    expect(response.body).toMatchObject({
      status: 409,
      code: 'built_in',
      detail: 'The mapping fews-net is a part of the service: store a copy of it under another name.',
      errors: [{ in: 'path', name: 'name', code: 'built_in' }],
    });
  });

  it('have names that no format and no other mapping has', async () => {
    await send('post', 'Mapping/', mappingOf('mali-oma')).expect(201);
    expect((await send('post', 'Mapping/', mappingOf('mali-oma', { title: 'X' }))).body).toMatchObject({
      status: 409,
      code: 'duplicate',
      existing: expect.stringMatching(/\/api\/v1\/Mapping\/mali-oma\/$/),
      errors: [{ in: 'body', name: 'name', pointer: '/name', code: 'duplicate' }],
    });
    for (const [name, code] of [
      ['wfp', 'invalid_choice'],
      ['prices', 'invalid_choice'],
      ['fx', 'invalid_choice'],
      ['Market', 'invalid_format'],
      ['mali/oma', 'invalid_format'],
      ['..', 'invalid_format'],
      ['a b', 'invalid_format'],
      ['', 'blank'],
      ['a'.repeat(51), 'too_long'],
    ] as const)
      expect((await send('post', 'Mapping/', mappingOf(name))).body).toMatchObject({
        status: 400,
        errors: [{ in: 'body', name: 'name', pointer: '/name', code }],
      });
    const other = await send('put', 'Mapping/mali-oma/', mappingOf('other'));
    expect(other.body).toMatchObject({
      status: 400,
      errors: [
        {
          in: 'body',
          pointer: '/name',
          code: 'id_mismatch',
          detail: 'name must be the name in the address.',
        },
      ],
    });
    for (const path of ['mali%2Foma', 'Mali-Oma', '%20mali-oma', '..%2F..', 'a'.repeat(5000)])
      expectProblem(await get(`Mapping/${path}/`), { status: 404, code: 'not_found' });
    expectProblem(await get('Mapping/%00/'), { status: 400, code: 'invalid' });
  });

  it('are rejected with everything that is wrong with them, each member by its pointer', async () => {
    const pointers = async (body: object) => {
      const { body: problem } = await send('post', 'Mapping/?x=1', body).expect(400);
      return (problem as { errors: { name: string; pointer?: string; code: string }[] }).errors.map(
        ({ name, pointer, code }) => `${pointer ?? name} ${code}`,
      );
    };
    expect(await pointers({})).toEqual([
      'x unknown_parameter',
      '/name required',
      '/table required',
      '/fields required',
    ]);
    expect(
      await pointers(
        mappingOf('office', {
          unpivot: { columns: `${'{commodity}'.repeat(2)}${'*'.repeat(200)}`, value: 'price_value' },
          skip: [{ column: 'Marché' }],
          dialect: { delimiter: '"', escapeChar: '\\' },
        }),
      ),
    ).toEqual(['x unknown_parameter', '/dialect/escapeChar unknown_field']);
    expect(
      await pointers(mappingOf('office', { skip: [{ column: 'Marché' }], end: { column: 0, blank: true } })),
    ).toEqual(['x unknown_parameter', '/skip/0 required', '/end/column out_of_range']);
    const deep = `{"name":"deep","table":"prices","fields":${'{"a":'.repeat(14_000)}1${'}'.repeat(14_000)}}`;
    expect((await send('post', 'Mapping/', deep)).status).toBe(400);
    expect(await stored()).toEqual([]);
  });

  it('have at most 100 KiB, of any letters, and come back as they were sent', async () => {
    const long = (name: string, letter: string, bytes: number) => {
      const values: Record<string, string> = {};
      const mapping = mappingOf(name);
      const whole = () => ({
        ...mapping,
        fields: { ...mapping.fields, price_type: { column: 'Niv.', values } },
      });
      const key = (index: number) => `${letter.repeat(30)}${index}`;
      for (let index = 0; Buffer.byteLength(JSON.stringify(whole())) < bytes - 200; index += 10)
        for (let one = index; one < index + 10; one++)
          if (Buffer.byteLength(JSON.stringify(whole())) < bytes - 200) values[key(one)] = 'RETAIL';
      values.x = '';
      values.x = 'x'.repeat(bytes - Buffer.byteLength(JSON.stringify(whole())));
      return whole();
    };
    for (const [name, letter] of [
      ['ascii', 'a'],
      ['accents', 'é'],
      ['emoji', '🌾'],
    ] as const) {
      const mapping = long(name, letter, 100 * 1024);
      await send('post', 'Mapping/', mapping).set('Idempotency-Key', name).expect(201);
      const { body } = await get(`Mapping/${name}/`).expect(200);
      expect((body as { mapping: object }).mapping).toEqual(mapping);
      const again = await send('post', 'Mapping/', mapping).set('Idempotency-Key', name).expect(201);
      expect(again.body).toMatchObject({ name, version: 1 });
      expectProblem(await send('put', `Mapping/${name}/`, long(name, letter, 100 * 1024 + 1)), {
        status: 413,
        code: 'too_large',
        extra: { max: 102_400 },
      });
    }
    // As NFC this letter takes more bytes than as it was sent.
    const skip = Array.from({ length: 130 }, () => ({ column: '\u{1d160}'.repeat(160), blank: true }));
    const growing = mappingOf('growing', { skip });
    expectProblem(await send('post', 'Mapping/', growing), {
      status: 413,
      code: 'too_large',
      extra: { max: 102_400 },
    });
    expect((await stored()).map((one) => (one as { name: string }).name)).toEqual([
      'accents',
      'ascii',
      'emoji',
    ]);
  });

  it('W3: of twenty writers with one tag one writes, and of two equal ones one creates', async () => {
    const created = await Promise.all(
      ['A', 'B', 'C'].map((title) => send('post', 'Mapping/', mappingOf('office', { title }))),
    );
    expect(created.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const written = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        send('put', 'Mapping/office/', mappingOf('office', { title: `Title ${number}` })).set(
          'If-Match',
          '"1"',
        ),
      ),
    );
    expect(written.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(412)]);
    const [winner] = written.filter(({ status }) => status === 200);
    expect((await get('Mapping/office/')).body).toMatchObject({
      version: 2,
      title: (winner!.body as { title: string }).title,
    });
    const removed = await Promise.all(
      Array.from({ length: 4 }, () => send('delete', 'Mapping/office/').set('If-Match', '"2"')),
    );
    expect(removed.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
    expect((await get('Mapping/office/versions/')).body).toMatchObject({ count: 2 });
  });

  it('W5: a repeated POST is answered as the first one, and stores nothing more', async () => {
    const post = (body: object) => send('post', 'Mapping/', body).set('Idempotency-Key', 'one');
    const first = await post(mappingOf('office')).expect(201);
    await send('put', 'Mapping/office/', mappingOf('office', { title: 'Later' })).expect(200);
    const again = await post(mappingOf('office')).expect(201);
    expect([again.body, again.headers.location, again.headers.etag]).toEqual([
      first.body,
      first.headers.location,
      first.headers.etag,
    ]);
    await post(mappingOf('office', { title: 'Other' })).expect(422);
    expect((await get('Mapping/office/')).body).toMatchObject({ version: 2, title: 'Later' });
  });

  it('W1: nothing is stored where the audit row cannot be', async () => {
    await send('post', 'Mapping/', mappingOf('office')).expect(201);
    const trail = service.app.get(AuditTrail);
    const failing = jest.spyOn(trail, 'record').mockRejectedValue(new Error('no audit'));
    await send('post', 'Mapping/', mappingOf('other')).expect(500);
    await send('put', 'Mapping/office/', mappingOf('office', { title: 'Other' })).expect(500);
    await send('delete', 'Mapping/office/').expect(500);
    failing.mockRestore();
    expect(await stored()).toEqual([entryOf('office', 1, 2)]);
    expect((await get('Mapping/office/versions/')).body).toMatchObject({ count: 1 });
    expect((await get('ChangeSet/')).body).toMatchObject({ count: 2 });
  });

  it('need a token for writes, are sorted, paged and filtered as every list, and W4 holds', async () => {
    for (const [method, path] of [
      ['post', 'Mapping/'],
      ['put', 'Mapping/x/'],
      ['delete', 'Mapping/x/'],
    ] as const)
      await service.http()[method](`/api/v1/${path}`).send({}).expect(401);
    await send('patch', 'Mapping/x/', {}).expect(405).expect('Allow', 'DELETE, GET, HEAD, OPTIONS, PUT');
    await get('Mapping/?nam=x').expect(400);
    await send('post', 'Mapping/', mappingOf('b')).expect(201);
    await send('post', 'Mapping/', mappingOf('a', { title: 'Z' })).expect(201);
    const page = await get('Mapping/?shipped=false&sort=-title&fields=name,title&page_size=1').expect(200);
    expect(page.body).toMatchObject({ count: 2, results: [{ name: 'a', title: 'Z' }] });
    const { text } = await get('Mapping/?name=a,b&format=csv').expect(200);
    expect(text).toBe(
      'name,title,table,shipped,version,saved_at,change_set_id\r\n' +
        `a,Z,prices,false,1,${NOW},3\r\nb,Bulletin of the ministry,prices,false,1,${NOW},2\r\n`,
    );
    expect((await get('Mapping/?table=fx').expect(200)).body).toMatchObject({ count: 2 });
    await send('put', 'Mapping/a/', mappingOf('a')).set('If-None-Match', '*').expect(412);
    await send('put', 'Mapping/a/', mappingOf('a')).set('If-Match', '*').expect(200);
  });

  it('with a slash in their names are not found, which is said in a sentence', async () => {
    for (const path of ['a%2Fb/', 'a%2F/', 'a%2Fb/versions/']) {
      const reply = await get(`Mapping/${path}`);
      expectProblem(reply, { status: 404, code: 'not_found' });
      expect(reply.body).toMatchObject({ detail: 'There is no such mapping.' });
    }
  });

  const TEXT = 'Produit;Marché;Mois;Prix\nMaïs;Bamako;août 2024;250,5\nMil;Bamako;août 2024;x\n';
  const dialect = { delimiter: ';' };
  const post = (query: string, text = TEXT) =>
    service.http().post(`/api/v1/Import/${query}`).set(admin).type('text/csv').send(text);

  it('are named in place of a format, and the report has the name and the version', async () => {
    for (const format of ['office', 'Office', 'x'.repeat(60), 'no/name'])
      expect((await post(`?format=${format}`)).body).toMatchObject({
        status: 400,
        errors: [{ in: 'query', name: 'format', code: 'invalid_choice' }],
      });
    await send('post', 'Mapping/', mappingOf('office', { dialect })).expect(201);
    const dryRun = await post('?format=OFFICE&dry_run=true').expect(200);
    expect(dryRun.body).toMatchObject({ format: 'office', mapping_version: 1, new: 1, rejected: 1 });
    await send('put', 'Mapping/office/', mappingOf('office', { dialect, title: 'Second' })).expect(200);
    const { body } = await post('?format=office&input=prix.csv').expect(200);
    expect(body).toMatchObject({
      format: 'office',
      mapping_version: 2,
      input: 'prix.csv',
      new: 1,
      series: 1,
      rejects: [{ line: 3, field: 'Prix', reason: 'invalid_number' }],
    });
    const { body: changeSets } = await get('ChangeSet/?kind=import').expect(200);
    expect(changeSets).toMatchObject({ results: [{ format: 'office', counts: { mapping_version: 2 } }] });
    const { body: log } = await get('AuditLog/?action=import').set(admin).expect(200);
    expect(log).toMatchObject({ results: [{ after: { format: 'office', mapping_version: 2, new: 1 } }] });
    // Other formats have no version.
    const rate = 'currency,date,period,rate\nKES,2024-01-01,monthly,130.5\n';
    const { body: other } = await post('?format=fx&dry_run=true', rate).expect(200);
    expect(other).not.toHaveProperty('mapping_version');
    await send('delete', 'Mapping/office/').expect(204);
    await post('?format=office').expect(400);
  });

  it('with patterns that a matcher could go back in for ever end in bounded time', async () => {
    const name = 'a'.repeat(30_000);
    const columns = `${'*a'.repeat(200)}*b{date}`;
    const { market, commodity, ...others } = mappingOf('hostile').fields;
    const fields = { ...others, date: { format: '%Y-%m' }, price_value: {}, market, commodity };
    const mapping = { ...mappingOf('hostile'), dialect, unpivot: { columns, value: 'price_value' }, fields };
    await send('post', 'Mapping/', mapping).expect(201);
    const headers = [`${name}b2024-08`, ...Array.from({ length: 20 }, (_, index) => `${name}${index}`)];
    const cells = headers.map(() => '250').join(';');
    const text = `Produit;Marché;${headers.join(';')}\nMaïs;Bamako;${cells}\n`;
    const { body } = await post('?format=hostile&dry_run=true', text).expect(200);
    expect(body).toMatchObject({ read: 1, new: 1, rejected: 0 });
  });

  it('that change while an import waits are used as they were when it began', async () => {
    await send('post', 'Mapping/', mappingOf('office', { dialect })).expect(201);
    const process = service.app.get(ImportProcess);
    const run = process.run.bind(process);
    const waiting = jest.spyOn(process, 'run').mockImplementation(async (task, options) => {
      const changed = { ...mappingOf('office', { dialect }), table: 'prices' };
      changed.fields.market = { column: 'Produit' };
      await send('put', 'Mapping/office/', changed).expect(200);
      return run(task, options);
    });
    const { body } = await post('?format=office').expect(200);
    waiting.mockRestore();
    expect(body).toMatchObject({ mapping_version: 1, new: 1 });
    const markets = await get('Market/').expect(200);
    expect((markets.body as { name: string }[]).map(({ name }) => name)).toEqual(['Bamako']);
  });
});
