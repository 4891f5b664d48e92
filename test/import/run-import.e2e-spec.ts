import { jest } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ImportRejected } from '../../src/import/formats/batch.js';
import { makeInput } from '../../src/import/input.js';
import { runImport } from '../../src/import/run-import.js';
import { ObservationStore } from '../../src/prices/observation-store.js';
import { chunksOf, fixture } from '../support/import-input.js';
import { openImports } from '../support/imports.js';

describe('npm run import', () => {
  let imports: Awaited<ReturnType<typeof openImports>>;
  const folder = mkdtempSync(join(tmpdir(), 'pds-import-'));
  beforeAll(async () => (imports = await openImports()));
  afterEach(() => imports.empty());
  afterAll(async () => {
    await imports.close();
    rmSync(folder, { recursive: true });
  });

  async function run(...argv: string[]) {
    const said: string[] = [];
    const complained: string[] = [];
    const drawn: string[] = [];
    const code = await runImport(argv, imports.service, {
      say: (text) => said.push(text),
      complain: (text) => complained.push(text),
      screen: { isTTY: true, write: (text: Uint8Array | string) => drawn.push(String(text)) > 0 },
    });
    return { code, said: said.join('\n'), complained: complained.join('\n'), drawn: drawn.join('') };
  }
  const ok = (name: string) => fixture(`ok/${name}`);

  it('ends with 0 when all rows are taken, also when nothing changes', async () => {
    const first = await run('wfp', ok('wfp_newest_ken.csv'));
    expect([first.code, first.complained]).toEqual([0, '']);
    expect(first.said).toMatch(/^wfp wfp_newest_ken\.csv\n {2}read {18}4\n {2}new {19}3\n/);
    expect(first.said).toContain('\n  skipped               1  forecast 1\n');
    const second = await run('wfp', ok('wfp_newest_ken.csv'));
    expect([second.code, /unchanged {13}3/.test(second.said)]).toEqual([0, true]);
  });

  it('ends with 3 when rows are rejected, and names them', async () => {
    const { code, said } = await run('wfp', fixture('not-ok/wfp_bad_rows_ken.csv'));
    expect(code).toBe(3);
    expect(said).toContain(
      '\nRejected:\n  line 2, date: "2021-02-30" is not a calendar date written YYYY-MM-DD. (invalid_date)\n',
    );
    expect(said).toContain(
      '\n  line 11: The line is not CSV: a quote is missing or stands alone. (unreadable)\n',
    );
  });

  it.each([
    [
      'a refused input',
      'wfp',
      fixture('not-ok/wfp_daily_ind.csv'),
      'said',
      'Ended early: A price is dated 2018-01-16',
    ],
    [
      'an input of which nothing is taken',
      'Market',
      fixture('not-ok/empty.csv'),
      'said',
      'Ended early: The input is empty.',
    ],
    ['rows that are all skipped', 'Source', 'all-blank', 'said', 'read '],
    ['a missing file', 'wfp', '/nowhere.csv', 'complained', 'There is no file /nowhere.csv.'],
    ['a folder', 'wfp', tmpdir(), 'complained', 'There is no file'],
  ] as const)('ends with 1 for %s', async (_, format, target, where, text) => {
    const blank = join(folder, 'blank.csv');
    writeFileSync(blank, 'name\n');
    const result = await run(format, ...(target === '' ? [] : [target === 'all-blank' ? blank : target]));
    expect(result.code).toBe(1);
    expect(result[where]).toContain(text);
  });

  it.each([
    ['an unknown format', ['csv', '/nowhere.csv'], 'There is no format "csv".'],
    ['a missing file name', ['wfp'], 'A format and one file, address or - are needed.'],
    ['two files', ['wfp', 'a.csv', 'b.csv'], 'A format and one file, address or - are needed.'],
    ['an unknown option', ['wfp', 'a.csv', '--force'], "Unknown option '--force'"],
  ])('ends with 2 for %s, and says what it takes', async (_, words, text) => {
    const { code, said, complained } = await run(...words);
    expect([code, said]).toEqual([2, '']);
    expect(complained).toContain(text);
    expect(complained).toContain('\n\nUsage: npm run import -- FORMAT FILE|URL|- [options]\n');
  });

  it.each(['--help', '-h'])('says with %s what it takes', async (word) => {
    const { code, said, complained } = await run(word);
    expect([code, complained]).toEqual([0, '']);
    expect(said).toMatch(/^Usage: npm run import -- FORMAT FILE\|URL\|- \[options\]\n/);
  });

  it('takes its options', async () => {
    const file = fixture('not-ok/wfp_without_country.csv');
    expect((await run('wfp', file)).said).toContain('Ended early: The input does not say its country');
    const report = join(folder, 'report.json');
    const options = ['--country', 'IND', '--source', 'Ministry', '--period', 'daily', '--report', report];
    expect((await run('wfp', file, ...options, '--dry-run')).code).toBe(0);
    expect(await imports.rows('SELECT id FROM price_serie')).toEqual([]);
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
      dry_run: true,
      new: 1,
      series: 1,
      rejects: [],
    });
    expect((await run('wfp', file, ...options)).code).toBe(0);
    expect(await imports.rows('SELECT name FROM source')).toEqual([{ name: 'Ministry' }]);
    expect(await imports.rows('SELECT period FROM observation')).toEqual([{ period: 1 }]);
    expect((await run('wfp', file, '--period', 'yearly')).complained).toContain(
      '--period is daily, weekly or monthly.',
    );
  });

  it('says and writes its report also where a defect ends it', async () => {
    const defect = new TypeError('undefined is not a function');
    const write = jest.spyOn(ObservationStore.prototype, 'write').mockRejectedValueOnce(defect);
    const report = join(folder, 'defect.json');
    await expect(run('wfp', ok('wfp_newest_ken.csv'), '--report', report)).rejects.toBe(defect);
    write.mockRestore();
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
      error: 'The service has a defect that ended the import; its log says more.',
    });
  });

  it('refuses a second import', async () => {
    const held = await imports.lock.take();
    const { code, complained } = await run('wfp', ok('wfp_newest_ken.csv'));
    held.stop();
    await imports.unitOfWork.run((tx) => held.giveBack(tx));
    expect([code, complained]).toEqual([
      1,
      'Another import is running. Try again when it has ended. (import_running)',
    ]);
  });

  it('draws its progress on a terminal', async () => {
    const { drawn } = await run('wfp', ok('wfp_newest_ken.csv'));
    expect(drawn).toMatch(/\[#{30}\] 100 %/);
    expect(drawn.endsWith('\r\u001b[K')).toBe(true);
  });

  it('unpacks gzip, whatever the name says', async () => {
    const packed = join(folder, 'wfp_food_prices_ken.csv');
    writeFileSync(packed, gzipSync(readFileSync(ok('wfp_newest_ken.csv'))));
    expect((await run('wfp', packed)).code).toBe(0);
    writeFileSync(packed, gzipSync(readFileSync(ok('wfp_newest_ken.csv'))).subarray(0, 300));
    const cut = await run('wfp', packed);
    expect([cut.code, cut.said]).toEqual([
      1,
      expect.stringContaining('Ended early: The gzip input is damaged or cut short.'),
    ]);
  });

  it.each([
    ['cannot be read', [], 'The input cannot be read.'],
    ['breaks off', ['name\nA\n'], 'The input broke off.'],
  ])('says of an input that %s no more than that', async (_, pieces, error) => {
    async function* failing() {
      for (const piece of pieces) yield Buffer.from(piece);
      throw Object.assign(new Error("EACCES: permission denied, open '/secret'"), { code: 'EACCES' });
    }
    const request = { format: 'Source', options: {}, dryRun: false, caller: null, requestId: null };
    expect(await imports.service.import(request, makeInput(failing(), '', null))).toMatchObject({ error });
    const whole = imports.service.importWhole(request, makeInput(failing(), '', null));
    await expect(whole).rejects.toEqual(new ImportRejected(error));
  });

  it('takes no more than so many bytes of a packed input', async () => {
    const bytes = gzipSync(`name\n${'x'.repeat(100)}\n${'\n'.repeat(1_000_000)}`);
    const input = makeInput(chunksOf(bytes), '', bytes.length, 10_000);
    const request = { format: 'Source', options: {}, dryRun: false, caller: null, requestId: null };
    await expect(imports.service.importWhole(request, input)).rejects.toEqual(
      new ImportRejected('The input may have at most 10000 bytes once it is unpacked.'),
    );
    expect(await imports.rows('SELECT id FROM source')).toEqual([]);
  });

  describe('from an address', () => {
    let server: Server;
    let address: string;
    let letGo: Promise<unknown>;
    beforeAll(async () => {
      server = createServer((request, response) => {
        const name = request.url!.slice(1);
        if (name === 'cut.csv') {
          response.write('name\nCut\n');
          return setTimeout(() => response.destroy(), 200);
        }
        if (name === 'stalls.csv') {
          letGo = once(response, 'close');
          return response.write('one,two\n1,2\n');
        }
        if (name !== 'wfp_newest_ken.csv.gz') return response.writeHead(404).end();
        response.end(gzipSync(readFileSync(ok('wfp_newest_ken.csv'))));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(() => new Promise((resolve) => server.close(resolve)));

    it('reads what is sent', async () => {
      expect((await run('wfp', `${address}/wfp_newest_ken.csv.gz`)).code).toBe(0);
      expect(await imports.rows('SELECT id FROM price_serie')).toHaveLength(2);
    });

    it('says that the connection broke off, and leaves the audit row and the lock', async () => {
      const { code, said, complained } = await run('Source', `${address}/cut.csv`);
      expect([code, complained]).toEqual([1, '']);
      expect(said).toMatch(/\nEnded early: The input broke off\.$/);
      expect(await imports.rows('SELECT action FROM audit_log')).toEqual([{ action: 'import' }]);
      expect(await imports.rows('SELECT holder FROM import_lock')).toEqual([{ holder: null }]);
    });

    it.each(['prices', 'Source'])(
      'lets go of a server that stalls after what is refused as %s',
      async (format) => {
        const began = performance.now();
        const { code, said } = await run(format, `${address}/stalls.csv`);
        expect([code, said]).toEqual([
          1,
          expect.stringContaining('Ended early: The input is not of the format'),
        ]);
        expect(performance.now() - began).toBeLessThan(5000);
        await letGo;
      },
    );

    it('says of what is no address that it is none', async () => {
      expect(await run('wfp', 'http://')).toMatchObject({ code: 1, complained: 'http:// is no address.' });
    });

    it('says what it was answered', async () => {
      expect(await run('wfp', `${address}/other.csv`)).toMatchObject({
        code: 1,
        complained: `${address}/other.csv was answered with status 404.`,
      });
      expect(await run('wfp', 'http://127.0.0.1:1/x.csv')).toMatchObject({
        code: 1,
        complained: '127.0.0.1:1 does not answer.',
      });
    });
  });
});
