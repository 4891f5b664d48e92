import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Environment } from '../../src/config/environment.js';
import { HarvestAlarms } from '../../src/harvests/alarms/harvest-alarms.js';
import { createCertificate } from '../support/certificate.js';
import { HarvestApp, pricesFile } from './harvest-app.js';
import { SourceServer } from './source-server.js';

const FILE = pricesFile({ Bamako: [200, 210], Gao: [300, 310] });
/** No due time comes by itself. */
const YEARLY = '0 6 1 1 *';
const UNTRUSTED =
  'The certificate or the encryption of the server is not valid (DEPTH_ZERO_SELF_SIGNED_CERT).';

describe('a harvest by TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'harvest-tls-'));
  const { key, certificate } = createCertificate(folder, 'IP:127.0.0.1');
  let app: HarvestApp;
  let server: SourceServer;
  beforeEach(async () => {
    app = await HarvestApp.start();
    server = await SourceServer.start({ key: readFileSync(key), cert: readFileSync(certificate) });
    server.publish(FILE);
    await app.create({ address: server.address(), schedule: YEARLY });
  });
  afterEach(async () => {
    server?.close();
    await app?.close();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The runs, from the database: the other service ends sessions of the time of the test. */
  const states = () =>
    app.service.database.rows<{ state: string }>('SELECT state, error, counts FROM harvest_run');

  it('of a server whose certificate nobody vouches for is an alarm, and stores nothing', async () => {
    await app.run();
    for (const minutes of [1, 5, 25]) {
      await app.minutesLater(minutes);
      await app.runDue();
    }
    const failed = { state: 'failed', error: UNTRUSTED, bytes: null };
    expect(await app.runs()).toMatchObject([failed, failed, failed, failed]);
    // No request came through.
    expect([server.asked, await app.points()]).toEqual([[], 0]);
    await app.service.app.get(HarvestAlarms).refresh();
    const { body } = await app.service.http().get('/api/v1/Finding/?state=open').expect(200);
    expect((body as { results: object[] }).results).toMatchObject([{ rule: 'harvest_failed' }]);
  });

  it('reads the file of one whose certificate NODE_EXTRA_CA_CERTS has', async () => {
    await app.send('post', 'Harvest/mali-oma/run/').expect(202);
    // Node.js reads the variable when it starts.
    const service = spawn(process.execPath, ['src/main.ts'], {
      env: {
        ...process.env,
        DATABASE_URL: app.service.app.get(Environment).databaseUrl,
        HOST: '127.0.0.1',
        NODE_EXTRA_CA_CERTS: certificate,
        // The processes of its imports need it, too.
        NODE_OPTIONS: '--import ./test/support/typescript-in-processes.mjs',
        OUTGOING_ALLOW: '127.0.0.1',
        PORT: '0',
      },
      stdio: 'ignore',
    });
    const ended = once(service, 'close');
    try {
      let runs = await states();
      while (service.exitCode === null && ['waiting', 'running'].includes(runs[0]!.state)) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        runs = await states();
      }
      expect(runs).toEqual([{ state: 'done', error: '', counts: expect.stringContaining('"new":4') }]);
    } finally {
      service.kill();
      await ended;
    }
    expect(server.asked).toEqual(['/prices.csv']);
  });
});
