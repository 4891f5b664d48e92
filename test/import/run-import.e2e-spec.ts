import { jest } from '@jest/globals';
import { mkdtempSync, ReadStream, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createListener } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ImportRejected } from '../../src/import/formats/batch.js';
import { createInput } from '../../src/import/pipeline/input.js';
import { parseArguments, runImport } from '../../src/import/run-import.js';
import { UsageError } from '../../src/platform/commands/run-command.js';
import { ObservationStore } from '../../src/prices/store/observation-store.js';
import { chunksOf, fixture } from '../support/import-input.js';
import { openImports } from '../support/imports.js';
import { someImport } from '../support/change-set.js';

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
    const output: string[] = [];
    const errors: string[] = [];
    const progress: string[] = [];
    const code = await runImport(parseArguments(argv), async () => imports, {
      print: (text) => output.push(text),
      printError: (text) => errors.push(text),
      progressStream: { isTTY: true, write: (text: Uint8Array | string) => progress.push(String(text)) > 0 },
    });
    return { code, output: output.join('\n'), errors: errors.join('\n'), progress: progress.join('') };
  }
  const ok = (name: string) => fixture(`ok/${name}`);

  it('exits with 0 if all rows are imported, even if nothing changes', async () => {
    const first = await run('wfp', ok('wfp_food_prices_ken.csv'));
    expect([first.code, first.errors]).toEqual([0, '']);
    expect(first.output).toMatch(/^wfp wfp_food_prices_ken\.csv\n.+\n {2}read +4\n {2}new +3\n/);
    expect(first.output).toMatch(/\n {2}skipped +1 {2}forecast 1\n/);
    const second = await run('wfp', ok('wfp_food_prices_ken.csv'));
    expect([second.code, /unchanged +3/.test(second.output)]).toEqual([0, true]);
  });

  it('leaves out what is 0, and explains its words', async () => {
    await run('wfp', ok('wfp_food_prices_ken.csv'));
    const { output } = await run('wfp', ok('wfp_food_prices_ken.csv'));
    expect(output.replace(/\d[\d.]* s, [\d,]+ rows\/s\n {2}change set \d+/, '…')).toBe(
      [
        'wfp wfp_food_prices_ken.csv',
        '  usdprice is not read. Dollars are prices divided by the official rate of their month that is stored here.',
        '  read       4',
        '  unchanged  3',
        '  skipped    1  forecast 1',
        '  countries  1  Kenya (KEN)',
        '  …',
        'What the words mean:',
        '  forecast: a price that its source expects; it is stored on request',
      ].join('\n'),
    );
    const empty = await run('Source', ok('wfp_food_prices_ken.csv'));
    expect(empty.output).toMatch(
      /^Source wfp_food_prices_ken\.csv\n {2}read {2}0\n {2}[^\n]+\n {2}change set \d+\nEnded early: /,
    );
  });

  it('rejects what is no encoding, and names the one that is specified', () => {
    expect(() => parseArguments(['wfp', 'a.csv', '--encoding', 'kyrillisch'])).toThrow(
      '--encoding must be the label of an encoding, such as windows-1251.',
    );
    const { request } = parseArguments(['wfp', 'a.csv', '--encoding', 'latin1']);
    expect(request.options.encoding).toBe('windows-1252');
  });

  it('exits with 3 if rows are rejected, and lists them', async () => {
    const { code, output } = await run('wfp', fixture('not-ok/wfp_food_prices_ken.csv'));
    expect(code).toBe(3);
    expect(output).toContain(
      '\nRejected:\n  line 2, date: date must be a calendar date written YYYY-MM-DD, not "2021-02-30". (invalid_date)\n',
    );
    expect(output).toContain(
      '\n  line 11: The line is not valid CSV: a quote is missing or misplaced. (unreadable)\n',
    );
  });

  it.each([
    [
      'a rejected input',
      'wfp',
      fixture('not-ok/wfp_food_prices_ind.csv'),
      'output',
      'Ended early: A price is dated 2018-01-16',
    ],
    ['an empty input', 'Market', fixture('not-ok/empty.csv'), 'output', 'Ended early: The input is empty.'],
    ['rows that are all skipped', 'Source', 'all-blank', 'output', 'read '],
    ['a missing file', 'wfp', '/nowhere.csv', 'errors', 'There is no file /nowhere.csv.'],
    ['a folder', 'wfp', tmpdir(), 'errors', 'There is no file'],
  ] as const)('exits with 1 for %s', async (_, format, target, stream, text) => {
    const blank = join(folder, 'blank.csv');
    writeFileSync(blank, 'name\n');
    const result = await run(format, ...(target === '' ? [] : [target === 'all-blank' ? blank : target]));
    expect(result.code).toBe(1);
    expect(result[stream]).toContain(text);
  });

  it('exits with 1 for a file that cannot be opened', async () => {
    const path = join(folder, 'socket');
    const listener = createListener().listen(path);
    await once(listener, 'listening');
    expect(await run('wfp', path)).toMatchObject({ code: 1, errors: `${path} cannot be read.` });
    await new Promise((resolve) => listener.close(resolve));
  });

  it('closes its input where the database cannot be opened', async () => {
    const close = jest.spyOn(ReadStream.prototype, 'destroy');
    const failure = new Error('The database cannot be opened.');
    const terminal = { print: () => 0, printError: () => 0, progressStream: process.stderr };
    const connect = () => Promise.reject(failure);
    const imported = runImport(parseArguments(['wfp', ok('wfp_food_prices_ken.csv')]), connect, terminal);
    await expect(imported).rejects.toBe(failure);
    expect(close).toHaveBeenCalled();
    close.mockRestore();
  });

  it.each([
    ['an unknown format', ['a.csv', '/nowhere.csv'], 'Unknown format "a.csv"'],
    ['a missing file name', ['wfp'], 'Specify a format and one file, URL or -.'],
    ['two files', ['wfp', 'a.csv', 'b.csv'], 'Specify a format and one file, URL or -.'],
    ['an unknown period', ['wfp', 'a.csv', '--period', 'yearly'], '--period must be daily, weekly or'],
    ['an unknown option', ['wfp', 'a.csv', '--force'], "Unknown option '--force'"],
  ])('rejects %s', (_, args, text) => {
    const parse = () => parseArguments(args);
    expect(parse).toThrow(UsageError);
    expect(parse).toThrow(text);
  });

  it('applies its options', async () => {
    const file = fixture('not-ok/wfp_without_country.csv');
    expect((await run('wfp', file)).output).toContain('Ended early: The input does not name its country');
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
  });

  it('prints and writes its report even after an internal error', async () => {
    const internalError = new TypeError('undefined is not a function');
    const write = jest.spyOn(ObservationStore.prototype, 'write').mockRejectedValueOnce(internalError);
    const report = join(folder, 'defect.json');
    await expect(run('wfp', ok('wfp_food_prices_ken.csv'), '--report', report)).rejects.toBe(internalError);
    write.mockRestore();
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
      error: 'The import ended with an internal error. See the log for details.',
    });
  });

  it('rejects a concurrent import', async () => {
    const held = await imports.lock.acquire(someImport);
    const { code, errors } = await run('wfp', ok('wfp_food_prices_ken.csv'));
    held.stopHeartbeat();
    await imports.unitOfWork.run((transaction) => held.release(transaction));
    expect([code, errors]).toEqual([
      1,
      'Another import is running. Try again when it has ended. (import_running)',
    ]);
  });

  it('draws a progress bar on a terminal', async () => {
    const { progress } = await run('wfp', ok('wfp_food_prices_ken.csv'));
    expect(progress).toMatch(/\[#{30}\] 100 %/);
    expect(progress.endsWith('\r\u001b[K')).toBe(true);
  });

  it('decompresses gzip, whatever the file name', async () => {
    const gzipped = join(folder, 'wfp_food_prices_ken.csv');
    writeFileSync(gzipped, gzipSync(readFileSync(ok('wfp_food_prices_ken.csv'))));
    expect((await run('wfp', gzipped)).code).toBe(0);
    writeFileSync(gzipped, gzipSync(readFileSync(ok('wfp_food_prices_ken.csv'))).subarray(0, 300));
    const truncated = await run('wfp', gzipped);
    expect([truncated.code, truncated.output]).toEqual([
      1,
      expect.stringContaining('Ended early: The gzip input is damaged or truncated.'),
    ]);
  });

  it.each([
    ['cannot be read', [], 'The input cannot be read.'],
    ['ends unexpectedly', ['name\nA\n'], 'The input ended unexpectedly.'],
  ])('reports no details of an input that %s', async (_, chunks, error) => {
    async function* failing() {
      for (const chunk of chunks) yield Buffer.from(chunk);
      throw Object.assign(new Error("EACCES: permission denied, open '/secret'"), { code: 'EACCES' });
    }
    const request = { format: 'Source', options: {}, dryRun: false, caller: null, requestId: null };
    expect(await imports.service.import(request, createInput(failing(), '', null))).toMatchObject({ error });
    const whole = imports.service.importAtomically(request, createInput(failing(), '', null));
    await expect(whole).rejects.toEqual(new ImportRejected(error));
  });

  it('rejects a compressed input over the limit', async () => {
    const bytes = gzipSync(`name\n${'x'.repeat(100)}\n${'\n'.repeat(1_000_000)}`);
    const input = createInput(chunksOf(bytes), '', bytes.length, 10_000);
    const request = { format: 'Source', options: {}, dryRun: false, caller: null, requestId: null };
    await expect(imports.service.importAtomically(request, input)).rejects.toEqual(
      new ImportRejected('The input must be at most 10000 bytes long after decompression.'),
    );
    expect(await imports.rows('SELECT id FROM source')).toEqual([]);
  });

  describe('from a URL', () => {
    let server: Server;
    let url: string;
    let closed: Promise<unknown>;
    beforeAll(async () => {
      server = createServer((request, response) => {
        const name = request.url!.slice(1);
        if (name === 'cut.csv') {
          response.write('name\nCut\n');
          return setTimeout(() => response.destroy(), 200);
        }
        if (name === 'stalls.csv') {
          closed = once(response, 'close');
          return response.write('one,two\n1,2\n');
        }
        if (name !== 'wfp_food_prices_ken.csv.gz') return response.writeHead(404).end();
        response.end(gzipSync(readFileSync(ok('wfp_food_prices_ken.csv'))));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(() => new Promise((resolve) => server.close(resolve)));

    it('reads what is sent', async () => {
      expect((await run('wfp', `${url}/wfp_food_prices_ken.csv.gz`)).code).toBe(0);
      expect(await imports.rows('SELECT id FROM price_serie')).toHaveLength(2);
    });

    it('reports a broken connection, writes the audit row and releases the lock', async () => {
      const { code, output, errors } = await run('Source', `${url}/cut.csv`);
      expect([code, errors]).toEqual([1, '']);
      expect(output).toMatch(/\nEnded early: The input ended unexpectedly\.$/);
      expect(await imports.rows('SELECT action FROM audit_log')).toEqual([{ action: 'import' }]);
      expect(await imports.rows('SELECT holder FROM import_lock')).toEqual([{ holder: null }]);
    });

    it.each(['prices', 'Source'])(
      'disconnects from a server that stalls after an input rejected as %s',
      async (format) => {
        const start = performance.now();
        const { code, output } = await run(format, `${url}/stalls.csv`);
        expect([code, output]).toEqual([
          1,
          expect.stringContaining('Ended early: The input is not in the format'),
        ]);
        expect(performance.now() - start).toBeLessThan(5000);
        await closed;
      },
    );

    it('rejects an invalid URL', async () => {
      expect(await run('wfp', 'http://')).toMatchObject({ code: 1, errors: 'http:// is not a valid URL.' });
    });

    it('reports the status of a failed response, and a server that cannot be reached', async () => {
      expect(await run('wfp', `${url}/other.csv`)).toMatchObject({
        code: 1,
        errors: `${url}/other.csv returned status 404.`,
      });
      expect(await run('wfp', 'http://127.0.0.1:1/x.csv')).toMatchObject({
        code: 1,
        errors: '127.0.0.1:1 could not be reached.',
      });
    });
  });
});
