import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fixture } from '../support/import-input.js';
import { Environment } from '../../src/config/environment.js';
import { startTestApp } from '../support/test-app.js';
import { someImport } from '../support/change-set.js';
import { ImportLock } from '../../src/ledger/import-lock/import-lock.js';
import { HarvestRunner } from '../../src/harvests/runs/harvest-runner.js';
import { HarvestScheduler } from '../../src/harvests/runs/harvest-scheduler.js';
import { DAILY, HarvestApp, pricesFile } from './harvest-app.js';

const FILE = pricesFile({ Bamako: [200, 210], Gao: [300, 310] });

const COUNTS = {
  read: 4,
  new: 4,
  changed: 0,
  unchanged: 0,
  skipped: 0,
  rejected: 0,
  countries: { MLI: 2 },
};

let app: HarvestApp;
beforeEach(async () => {
  app = await HarvestApp.start();
});
afterEach(() => app?.close());

describe('a run of a harvest', () => {
  it('imports the file of a source, which the change set calls by the name of the harvest', async () => {
    app.source.publish(FILE);
    await app.create();
    const run = await app.run();
    expect(run).toEqual({
      id: 1,
      state: 'done',
      attempt: 1,
      due_at: '2026-11-21T12:00:00.000Z',
      not_before: '2026-11-21T12:00:00.000Z',
      started_at: '2026-11-21T12:00:00.000Z',
      ended_at: '2026-11-21T12:00:00.000Z',
      bytes: FILE.length,
      counts: COUNTS,
      change_set_id: expect.any(Number),
      error: '',
      held: [],
      decided_by: '',
      reason: '',
    });
    expect(await app.points()).toBe(4);
    const { body: set } = await app.service.http().get(`/api/v1/ChangeSet/${run.change_set_id}/`).expect(200);
    expect(set).toMatchObject({ kind: 'import', state: 'done', format: 'prices', input: 'harvest mali-oma' });
    expect(app.leftFolders()).toEqual([]);
  });

  it('asks whether there is another file, by what the server has said of the last one', async () => {
    app.source.handler = ({ headers }, response) => {
      const isSame =
        headers['if-none-match'] === '"a"' && headers['if-modified-since'] === 'Sat, 21 Nov 2026';
      if (isSame) response.writeHead(304).end();
      else response.writeHead(200, { ETag: '"a"', 'Last-Modified': 'Sat, 21 Nov 2026' }).end(FILE);
    };
    await app.create();
    expect(await app.run()).toMatchObject({ state: 'done' });
    expect(await app.run()).toMatchObject({
      state: 'unchanged',
      bytes: null,
      counts: null,
      change_set_id: null,
    });
    // Read in another way, it may have other rows.
    await app.send('patch', 'Harvest/1/', { options: { fill_only: true } }).expect(200);
    expect(await app.run()).toMatchObject({ state: 'done', counts: { read: 4, new: 0 } });
    expect(app.source.headers.map((headers) => headers['if-none-match'])).toEqual([
      undefined,
      '"a"',
      undefined,
    ]);
  });

  it('imports no file again that it has imported last', async () => {
    app.source.publish(FILE);
    await app.create({ change_limit: 25 });
    await app.run();
    expect(await app.run()).toMatchObject({ state: 'unchanged', bytes: FILE.length, counts: null });
    app.source.publish(pricesFile({ Bamako: [200, 210, 220], Gao: [300, 315] }));
    expect(await app.run()).toMatchObject({
      state: 'done',
      counts: { read: 5, new: 1, changed: 1, unchanged: 3 },
    });
  });

  it('reads gzip, of the server or of the file itself', async () => {
    app.source.handler = (_, response) =>
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(gzipSync(FILE)));
    await app.create();
    expect(await app.run()).toMatchObject({ state: 'done', counts: COUNTS, bytes: gzipSync(FILE).length });
  });

  it('follows the pages of FPMA on their server, and sends the secret with each', async () => {
    const text = readFileSync(fixture('ok/fpma_series.json'), 'utf8');
    const [first, second] = (JSON.parse(text) as { results: object[] }).results;
    app.source.handler = ({ url }, response) => {
      const next = url === '/FpmaSerie/' ? `http://127.0.0.1:${app.source.port}/FpmaSerie/?page=2` : null;
      const results = next === null ? [{ ...second, next: 'http://example.org/' }] : [first];
      response
        .writeHead(200, { ETag: '"page"' })
        .end(JSON.stringify({ count: 2, next, previous: null, results }));
    };
    const address = app.source.address('/FpmaSerie/');
    await app.create({ address, format: 'fpma', header: 'X-Key: {secret}', secret: 'word' });
    expect(await app.run()).toMatchObject({ state: 'done', counts: { read: 2 } });
    expect(app.source.asked).toEqual(['/FpmaSerie/', '/FpmaSerie/?page=2']);
    expect(app.source.headers.map((headers) => headers['x-key'])).toEqual(['word', 'word']);
    // What the server says of the first page says nothing of the others.
    expect(await app.run()).toMatchObject({ state: 'unchanged' });
    expect(app.source.headers[2]!['if-none-match']).toBeUndefined();
  });

  it.each([
    [
      'to another server',
      'http://127.0.0.2/FpmaSerie/',
      'The next page is not on the server of the first one.',
    ],
    ['in a circle', '/FpmaSerie/', 'The pages of the list do not end.'],
    ['nowhere', 'http://', 'The next page has no valid address.'],
  ])('follows no pages that lead %s', async (_, next, error) => {
    app.source.publish(JSON.stringify({ next, results: [] }));
    await app.create({ address: app.source.address('/FpmaSerie/'), format: 'fpma' });
    expect(await app.run()).toMatchObject({ state: 'failed', error });
  });

  it('sends its secret in path and query, to its own server only', async () => {
    app.source.handler = ({ url }, response) => {
      if (url!.startsWith('/a%20b%2Fc'))
        response.writeHead(302, { Location: `http://localhost:${app.source.port}/x` }).end();
      else response.end(FILE);
    };
    const address = app.source.address('/{secret}/x?key={secret}');
    await app.create({ address, header: 'X-Key: k {secret}', secret: 'a b/c' });
    // Of the other name of the loopback, the fence allows the address.
    expect(await app.run()).toMatchObject({ state: 'done' });
    expect(app.source.asked).toEqual(['/a%20b%2Fc/x?key=a%20b%2Fc', '/x']);
    expect(app.source.headers.map((headers) => headers['x-key'])).toEqual(['k a b/c', undefined]);
  });

  it('reads the files of a folder, and no others by links', async () => {
    mkdirSync(join(app.folder, 'mali'));
    writeFileSync(join(app.folder, 'mali', 'prices 1.csv'), FILE);
    symlinkSync(join(app.folder, 'mali'), join(app.folder, 'inner'));
    symlinkSync('/etc', join(app.folder, 'etc'));
    symlinkSync('/etc/hostname', join(app.folder, 'hostname'));
    await app.create({ address: 'file:inner/prices%201.csv' });
    expect(await app.run()).toMatchObject({ state: 'done', bytes: FILE.length, counts: COUNTS });
    const missing = 'There is no such file below HARVEST_FILES_DIR.';
    for (const path of ['etc/hostname', 'hostname', 'none.csv', '../etc/hostname', '%2e%2e/x.csv', 'mali']) {
      await app.send('patch', 'Harvest/1/', { address: `file:${path}` }).expect(200);
      expect(await app.run()).toMatchObject({ state: 'failed', error: missing, bytes: null });
    }
  });

  it('reads its file by a stored mapping, anew by each version, and keeps that from being deleted', async () => {
    app.source.publish('Market;Month;Price\nBamako;2026-01-01;200\nGao;2026-01-01;300\n');
    const value = (text: string) => ({ value: text });
    const mapping = {
      ...{ name: 'oma', table: 'prices', dialect: { delimiter: ';' } },
      fields: {
        market: { column: 'Market' },
        date: { column: 'Month' },
        price_value: { column: 'Price' },
        ...{ periodicity: value('monthly'), currency: value('XOF'), source: value('OMA') },
        ...{ price_type: value('RETAIL'), commodity: value('Millet'), measure_unit: value('KG') },
        iso3_country_code: value('MLI'),
      },
    };
    const harvest = { name: 'mali-oma', address: app.source.address(), format: 'oma', schedule: DAILY };
    expect((await app.send('post', 'Harvest/', harvest)).body).toMatchObject({
      status: 400,
      errors: [{ pointer: '/format', code: 'invalid_choice' }],
    });
    await app.send('post', 'Mapping/', mapping).expect(201);
    await app.create({ format: 'oma' });
    expect(await app.run()).toMatchObject({ state: 'done', counts: { read: 2, new: 2 } });
    expect(await app.run()).toMatchObject({ state: 'unchanged' });
    const fields = { ...mapping.fields, commodity: value('Sorghum') };
    await app.send('put', 'Mapping/oma/', { ...mapping, fields }).expect(200);
    expect(await app.run()).toMatchObject({ state: 'done', counts: { read: 2, new: 2 } });
    expect((await app.send('delete', 'Mapping/oma/')).body).toMatchObject({
      status: 409,
      code: 'in_use',
      errors: [{ in: 'path', name: 'Harvest', code: 'in_use', count: 1 }],
    });
    await app.send('delete', 'Harvest/mali-oma/').expect(204);
    await app.send('delete', 'Mapping/oma/').expect(204);
  });

  describe('that fails', () => {
    const half: Parameters<typeof failing>[0] = (_, response) => {
      response.setHeader('Content-Length', FILE.length);
      response.write(FILE.slice(0, -20), () => response.destroy());
    };
    const failing = (handler: HarvestApp['source']['handler']) => {
      app.source.handler = handler;
      return app.create();
    };

    it.each([
      ['cut short', half, 'The connection was closed before all of the file had come.'],
      ['an error', (_, response) => response.writeHead(500).end(FILE), 'The server returned status 500.'],
      ['no content', (_, response) => response.writeHead(204).end(), 'The server returned status 204.'],
      [
        'a page of HTML',
        (_, response) => response.end('<!DOCTYPE html><html><body><p>Please sign in,</p></body></html>\n'),
        expect.stringMatching(/./),
      ],
      ['empty', (_, response) => response.end(''), expect.stringMatching(/./)],
      [
        'a header alone',
        (_, response) => response.end(pricesFile({})),
        'The input has a header, but no line below it.',
      ],
      [
        'of rows that are all rejected',
        (_, response) => response.end(pricesFile({ Bamako: [-1, -2] })),
        expect.stringMatching(/^All 2 rows are rejected. The first one: /),
      ],
      [
        'a redirect to a metadata service',
        (_, response) => response.writeHead(302, { Location: 'http://169.254.169.254/latest/' }).end(),
        'The address is one of this machine or of an inner network, which OUTGOING_ALLOW does not name.',
      ],
      [
        'a JSON list that is cut',
        (_, response) => response.end('[{"uuid": "3beeeab4-2bad-4c56-a50f-16eeadab281b"'),
        expect.stringMatching(/./),
      ],
    ] as readonly [string, HarvestApp['source']['handler'], unknown][])(
      'because the reply is %s stores nothing',
      async (_, handler, error) => {
        await failing(handler);
        const run = await app.run();
        expect(run).toMatchObject({ state: 'failed', change_set_id: null, error });
        expect(run.error).not.toContain('127.0.0.1');
        expect([await app.points(), app.leftFolders()]).toEqual([0, []]);
        // The next one mends it.
        app.source.publish(FILE);
        expect(await app.run()).toMatchObject({ state: 'done', counts: COUNTS });
      },
    );

    it('is tried again after 1, 5 and 25 minutes, and then when it is due', async () => {
      await failing((_, response) => response.writeHead(503).end());
      await app.at('2026-11-22T06:00');
      await app.runDue();
      for (const [attempt, minutes] of [
        [2, 1],
        [3, 5],
        [4, 25],
      ] as const) {
        const [next, failed] = await app.runs();
        expect(failed).toMatchObject({
          state: 'failed',
          attempt: attempt - 1,
          error: 'The server returned status 503.',
        });
        expect(next).toMatchObject({ state: 'waiting', attempt, due_at: '2026-11-22T06:00:00.000Z' });
        await app.minutesLater(minutes - 0.5);
        expect(await app.runDue()).toMatchObject({ state: 'waiting' });
        await app.minutesLater(0.5);
        await app.runDue();
      }
      expect((await app.runs()).map(({ state, attempt }) => [state, attempt])).toEqual([
        ['failed', 4],
        ['failed', 3],
        ['failed', 2],
        ['failed', 1],
      ]);
      app.source.publish(FILE);
      await app.at('2026-11-23T06:00');
      expect(await app.runDue()).toMatchObject({ state: 'done', attempt: 1 });
      expect(await app.points()).toBe(4);
    });

    it.each([
      ['3600', '2026-11-22T07:00:00.000Z'],
      ['30', '2026-11-22T06:01:00.000Z'],
      ['Sun, 22 Nov 2026 06:10:00 GMT', '2026-11-22T06:10:00.000Z'],
      ['999999999', '2026-11-23T06:00:00.000Z'],
      ['soon', '2026-11-22T06:01:00.000Z'],
    ])('with a Retry-After of %s is not tried again before', async (header, expected) => {
      await failing((_, response) => response.writeHead(429, { 'Retry-After': header }).end());
      await app.at('2026-11-22T06:00');
      expect(await app.runDue()).toMatchObject({ state: 'waiting', attempt: 2, not_before: expected });
    });

    it('is not tried again once the harvest is off, or deleted', async () => {
      await failing((_, response) => response.writeHead(503).end());
      await app.run();
      expect(await app.runs()).toHaveLength(2);
      await app.send('patch', 'Harvest/1/', { enabled: false }).expect(200);
      expect(await app.runs()).toMatchObject([{ state: 'failed' }]);
      app.source.handler = (_, response) => {
        void app.send('delete', 'Harvest/1/').then(() => response.writeHead(503).end());
      };
      await app.send('post', 'Harvest/1/run/').expect(202);
      await app.runDue('1').catch(() => undefined);
      expect(await app.service.database.rows('SELECT id FROM harvest_run')).toEqual([]);
    });

    it('because its secret cannot be opened says so', async () => {
      await app.create({ address: app.source.address('/{secret}'), secret: 'word' });
      const other = { ...app.service };
      await other.unitOfWork.run((transaction) =>
        transaction.execute("UPDATE harvest SET secret = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'"),
      );
      expect(await app.run()).toMatchObject({
        state: 'failed',
        error: 'Its secret cannot be opened, because SECRETS_KEY is another one: set it anew.',
      });
      expect(app.source.asked).toEqual([]);
    });
  });

  it('waits while another import is running', async () => {
    app.source.publish(FILE);
    await app.create();
    const lock = await app.service.app.get(ImportLock).acquire(someImport);
    const running = app.run();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect([(await app.runs())[0]!.state, await app.points()]).toEqual(['running', 0]);
    await lock.end('done');
    lock.stopHeartbeat();
    expect(await running).toMatchObject({ state: 'done', counts: COUNTS });
  });
});

describe('the schedule of harvests', () => {
  it('runs each due time once, whoever looks for it', async () => {
    app.source.publish(FILE);
    await app.create();
    await app.runDue();
    expect(await app.runs()).toEqual([]);
    await app.at('2026-11-22T06:00');
    const first = await app.runDue();
    expect(first).toMatchObject({ state: 'done', due_at: '2026-11-22T06:00:00.000Z' });
    await app.runDue();
    expect(await app.runs()).toHaveLength(1);
    expect((await app.send('get', 'Harvest/1/').expect(200)).body).toMatchObject({
      next_run_at: '2026-11-23T06:00:00.000Z',
    });
  });

  it('runs once what was due while no service was running', async () => {
    app.source.publish(FILE);
    await app.create();
    await app.at('2026-11-27T17:00');
    expect(await app.runDue()).toMatchObject({ state: 'done', due_at: '2026-11-22T06:00:00.000Z' });
    expect(await app.runs()).toHaveLength(1);
    expect((await app.send('get', 'Harvest/1/').expect(200)).body).toMatchObject({
      next_run_at: '2026-11-28T06:00:00.000Z',
    });
  });

  it('leaves harvests that are off', async () => {
    await app.create({ enabled: false });
    await app.at('2026-11-27T17:00');
    await app.runDue();
    expect(await app.runs()).toEqual([]);
  });

  it('runs all that are due, one after the other', async () => {
    app.source.publish(FILE);
    for (const name of ['first', 'second', 'third']) await app.create({ name });
    await app.at('2026-11-22T06:00');
    await app.runDue('first');
    const states = await Promise.all(
      ['first', 'second', 'third'].map(async (name) => (await app.runs(name))[0]!),
    );
    expect(states.map(({ state, counts }) => [state, counts?.new])).toEqual([
      ['done', 4],
      ['done', 0],
      ['done', 0],
    ]);
  });

  it.each([
    ['forward', '2027-03-28', ['2027-03-28T01:00:00.000Z', '2027-03-29T00:30:00.000Z']],
    ['back', '2026-10-25', ['2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z']],
  ])('runs once on a night in which the clocks go %s', async (_, night, due) => {
    app.source.publish(FILE);
    await app.at(`${night}T00:00`);
    await app.create({ schedule: '30 2 * * *', time_zone: 'Europe/Rome' });
    // As a service that looks every 10 minutes, for a day and an hour.
    for (let minutes = 0; minutes <= 26 * 60; minutes += 10) {
      await app.service.app.get(HarvestScheduler).runDue();
      app.service.clock.milliseconds += 10 * 60_000;
    }
    await app.minutesLater(0);
    expect((await app.runs()).map(({ due_at }) => due_at).reverse()).toEqual(due);
  });

  it('tries a run again that a process has left which was killed', async () => {
    app.source.publish(FILE);
    await app.create();
    await app.send('post', 'Harvest/1/run/').expect(202);
    const { unitOfWork, database } = app.service;
    const time = database.embedded
      ? "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"
      : 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)';
    const holdSince = (age: number) =>
      unitOfWork.run(async (transaction) => {
        await transaction.execute("UPDATE harvest_run SET state = 'running', started_at = due_at");
        await transaction.execute("DELETE FROM lease WHERE name = 'harvests'");
        await transaction.execute(
          `INSERT INTO lease (name, holder, seen_at) VALUES ('harvests', 'killed', ${time} - ${age})`,
        );
      });
    await holdSince(5000);
    expect(await app.runDue()).toMatchObject({ id: 1, state: 'running' });
    await holdSince(20_000);
    await app.runDue();
    expect(await app.runs()).toMatchObject([
      { id: 2, state: 'waiting', attempt: 2 },
      { id: 1, state: 'interrupted', error: 'The process that ran it has ended.' },
    ]);
    await app.minutesLater(1);
    expect(await app.runDue()).toMatchObject({ id: 2, state: 'done', counts: COUNTS });
    expect(await database.rows("SELECT holder FROM lease WHERE name = 'harvests'")).toEqual([
      { holder: null },
    ]);
  });

  it('does not keep the service from shutting down where a run does not stop', async () => {
    await app.create();
    await app.send('post', 'Harvest/1/run/').expect(202);
    const { app: nest } = app.service;
    let end!: (outcome: { state: 'unchanged' }) => void;
    const begun = new Promise<void>((resolve) => {
      nest.get(HarvestRunner).run = () => {
        resolve();
        return new Promise((ended) => (end = ended));
      };
    });
    const running = app.runDue();
    await begun;
    await nest.get(HarvestScheduler).beforeApplicationShutdown();
    expect(await app.runs()).toMatchObject([{ id: 1, state: 'running' }]);
    end({ state: 'unchanged' });
    await running;
  });

  it('stops the run of a harvest that is deleted meanwhile, and goes on with the next one', async () => {
    let isAsked: () => void;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    // A server that never replies.
    app.source.handler = ({ url }, response) => {
      if (url === '/prices.csv') isAsked();
      else response.end(FILE);
    };
    await app.create();
    await app.create({ name: 'second', address: app.source.address('/second.csv') });
    for (const name of ['mali-oma', 'second']) await app.send('post', `Harvest/${name}/run/`).expect(202);
    const running = app.service.app.get(HarvestScheduler).runDue();
    await asked;
    await app.send('delete', 'Harvest/mali-oma/').expect(204);
    await running;
    expect(await app.runs('second')).toMatchObject([{ state: 'done', counts: COUNTS }]);
    const { database } = app.service;
    expect(await database.rows('SELECT id, state FROM harvest_run')).toEqual([{ id: 2, state: 'done' }]);
    expect([
      app.leftFolders(),
      await database.rows("SELECT holder FROM lease WHERE name = 'harvests'"),
    ]).toEqual([[], [{ holder: null }]]);
  });

  it('leaves a run to the next process where the service is shut down', async () => {
    let isAsked: () => void;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    app.source.handler = () => isAsked();
    await app.create();
    await app.send('post', 'Harvest/1/run/').expect(202);
    const { service } = app;
    const running = app.runDue();
    await asked;
    await service.app.get(HarvestScheduler).beforeApplicationShutdown();
    expect(await running).toMatchObject({ id: 1, state: 'waiting', attempt: 1, started_at: null });
    expect(await service.database.rows("SELECT holder FROM lease WHERE name = 'harvests'")).toEqual([
      { holder: null },
    ]);
  });
});

it('two processes run each due time once', async () => {
  app.source.publish(FILE);
  for (const name of ['first', 'second']) await app.create({ name });
  const { databaseUrl } = app.service.app.get(Environment);
  const other = await startTestApp({ DATABASE_URL: databaseUrl, OUTGOING_ALLOW: '127.0.0.1' });
  try {
    for (const day of ['22', '23', '24']) {
      await app.at(`2026-11-${day}T06:00`);
      other.clock.milliseconds = app.service.clock.now();
      await Promise.all([app.service, other].map(({ app: each }) => each.get(HarvestScheduler).runDue()));
    }
    for (const name of ['first', 'second'])
      expect((await app.runs(name)).map(({ state, due_at }) => [state, due_at.slice(0, 10)])).toEqual([
        ['unchanged', '2026-11-24'],
        ['unchanged', '2026-11-23'],
        ['done', '2026-11-22'],
      ]);
  } finally {
    await other.close();
  }
});
