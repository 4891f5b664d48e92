import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Variables } from '../../src/config/environment.js';
import { SourceFetcher } from '../../src/harvests/fetch/source-fetcher.js';
import { HarvestScheduler } from '../../src/harvests/runs/harvest-scheduler.js';
import type { HarvestRunRecord } from '../../src/harvests/runs/harvest-run.dto.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { SourceServer } from './source-server.js';

const HEADER =
  'iso3_country_code,commodity,price_type,market,source,currency,measure_unit,date,periodicity,price_value';

/** A file of monthly prices of 2026: of markets by their names, those of months from January on. */
export const pricesFile = (markets: Readonly<Record<string, readonly number[]>>): string =>
  [
    HEADER,
    ...Object.entries(markets).flatMap(([market, prices]) =>
      prices.map((price, month) => {
        const date = `2026-${String(month + 1).padStart(2, '0')}-01`;
        return `MLI,Millet,Retail,${market},OMA,XOF,KG,${date},monthly,${price}`;
      }),
    ),
    '',
  ].join('\n');

/** Every 6 o'clock in the morning, UTC. The clock of a test begins at noon. */
export const DAILY = '0 6 * * *';

/** A service with a server that it harvests from, and a folder of files. */
export class HarvestApp {
  private constructor(
    readonly service: TestApp,
    readonly source: SourceServer,
    readonly folder: string,
    private readonly temporary: readonly string[],
    private admin: { Authorization: string },
  ) {}

  static async start(variables: Variables = {}): Promise<HarvestApp> {
    const folder = mkdtempSync(join(tmpdir(), 'harvest-files-'));
    const service = await startTestApp({
      SECRETS_KEY: 'a key of the test suite, 0123456789',
      OUTGOING_ALLOW: '127.0.0.1',
      HARVEST_FILES_DIR: folder,
      ...variables,
    });
    const temporary: string[] = [];
    const fetcher = service.app.get(SourceFetcher);
    const fetch = fetcher.fetch.bind(fetcher);
    fetcher.fetch = (harvest, secret, path, signal) => {
      temporary.push(dirname(path));
      return fetch(harvest, secret, path, signal);
    };
    const admin = await service.authHeader();
    return new HarvestApp(service, await SourceServer.start(), folder, temporary, admin);
  }

  /** The folders of temporary files that its runs have left. */
  leftFolders(): string[] {
    return this.temporary.filter((folder) => existsSync(folder));
  }

  send(method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, body?: object) {
    return this.service.http()[method](`/api/v1/${path}`).set(this.admin).send(body);
  }

  /** Creates a harvest of the server's `prices.csv`. */
  async create(fields: object = {}): Promise<void> {
    const harvest = { name: 'mali-oma', address: this.source.address(), format: 'prices', schedule: DAILY };
    await this.send('post', 'Harvest/', { ...harvest, ...fields }).expect(201);
  }

  /** Runs what is due. @returns the newest run of a harvest */
  async runDue(harvest = 'mali-oma'): Promise<HarvestRunRecord> {
    await this.service.app.get(HarvestScheduler).runDue();
    return (await this.runs(harvest))[0]!;
  }

  /** Asks for a run, and runs what is due. */
  async run(harvest = 'mali-oma'): Promise<HarvestRunRecord> {
    const { body } = await this.send('post', `Harvest/${harvest}/run/`).expect(202);
    await this.service.app.get(HarvestScheduler).runDue();
    const { id } = body as HarvestRunRecord;
    return (await this.runs(harvest)).find((run) => run.id === id)!;
  }

  /** The runs of a harvest, newest first. */
  async runs(harvest = 'mali-oma'): Promise<HarvestRunRecord[]> {
    const { body } = await this.send('get', `Harvest/${harvest}/run/`).expect(200);
    return (body as { results: HarvestRunRecord[] }).results;
  }

  /** Sets the clock, as `2026-11-22T06:00`, and signs in anew: tokens last for minutes. */
  async at(time: string): Promise<void> {
    this.service.clock.milliseconds = Date.parse(`${time}Z`);
    this.admin = await this.service.authHeader();
  }

  minutesLater(minutes: number): Promise<void> {
    return this.at(new Date(this.service.clock.now() + minutes * 60_000).toISOString().slice(0, -1));
  }

  async points(): Promise<number> {
    const [row] = await this.service.database.rows<{ count: number | string }>(
      'SELECT COUNT(*) AS count FROM observation',
    );
    return Number(row!.count);
  }

  async close(): Promise<void> {
    this.source.close();
    await this.service.close();
    rmSync(this.folder, { recursive: true });
  }
}
