import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClientService, startClientService } from './client-service.js';
import { describeWith, python, run } from './run-client.js';

describeWith(python, 'the client for Python', () => {
  let service: ClientService;
  let folder: string;
  beforeAll(async () => {
    service = await startClientService();
    folder = mkdtempSync(join(tmpdir(), 'pricedata-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await service?.close();
  });
  beforeEach(() => void service.requests.splice(0));

  const print = (code: string) =>
    run(python, ['-c', `import json, pricedata\n${code}`], {
      PRICEDATA_URL: service.url,
      XDG_CACHE_HOME: folder,
    });
  const statuses = () => service.requests.map(({ status }) => status);
  const WARNING = 'print(json.dumps(pricedata.rows("PriceWarning", by="country", iso3_country_codes="XAC")))';

  it('gives lists of dicts with numbers, flags and nothing where a value is missing', async () => {
    expect(JSON.parse(await print(WARNING))).toEqual([
      expect.objectContaining({
        country_name: 'Cestria',
        month: '2026-10',
        series: 6,
        share_high: null,
        share_alert_or_worse: 0.666666666666667,
      }),
    ]);
    const flags = 'print(pricedata.rows("Market", name="Port Aldor")[0]["regional_average"])';
    expect(await print(flags)).toBe('False\n');
    const codes = 'print(repr(pricedata.rows("Commodity", name="Milk")[0]["hs_code"]))';
    expect(await print(codes)).toBe("'040120'\n");
  });

  it('tells which month of a series is not over', async () => {
    const newest = 'pricedata.rows("PriceSeriePrice/1b61a5d0-a83c-539c-81c3-a6f8b973543f", latest=1)';
    expect(await print(`print([(each["periodicity"], each["partial"]) for each in ${newest}])`)).toBe(
      "[('daily', False), ('weekly', False), ('monthly', True)]\n",
    );
  });

  it('keeps replies on disk and asks whether they still hold', async () => {
    const one = await print(WARNING);
    const first = statuses();
    service.requests.splice(0);
    expect(await print(WARNING)).toBe(one);
    expect(statuses()).toEqual(first.map(() => 304));
  });

  it('reads anew what is damaged on disk', async () => {
    const one = await print(WARNING);
    service.requests.splice(0);
    const kept = join(folder, 'pricedata');
    for (const file of readdirSync(kept)) writeFileSync(join(kept, file), '{"etag": "x"}\nhalf of a');
    expect(await print(WARNING)).toBe(one);
    expect(new Set(statuses())).toEqual(new Set([200]));
  });

  it('keeps no more than its limit on disk, the newest', async () => {
    const written = await print(`
import os, pathlib
cache = pricedata.DiskCache(pathlib.Path("${folder}") / "small", limit=2500)
for second, url in enumerate("abc"):
    cache.write(url, {"etag": url}, b"x" * 1000)
    for file in cache.folder.glob("*.reply"):
        if second == 0: os.utime(file, (0, 0))
print([cache.read(url) is not None for url in "abc"])`);
    expect(written).toBe('[False, True, True]\n');
  });

  it('leaves nothing of a reply that could not be written', async () => {
    const written = await print(`
import os, pathlib, resource, signal
cache = pricedata.DiskCache(pathlib.Path("${folder}") / "full")
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
cache.write("a", {"etag": "a"}, b"x" * 100_000)
print(cache.read("a"), os.listdir(cache.folder))`);
    expect(written).toBe('None []\n');
  });

  it('waits as long as Retry-After says, in seconds or until a date, else longer each time', async () => {
    const waits = await print(`
import email.utils, time
soon = email.utils.formatdate(time.time() + 60, usegmt=True)
texts = ["7", "Thu, 01 Jan 1970 00:00:00 GMT", soon, None, "later"]
print([round(pricedata._seconds(text, 2), -1 if text == soon else 0) for text in texts])`);
    expect(waits).toBe('[7.0, 0.0, 60.0, 4.0, 4.0]\n');
  });

  it('makes one table of many series in parts, all of one state of the data', async () => {
    const query = 'country="XAA", price_type="RETAIL", latest=1';
    const print2 = `print(json.dumps(pricedata.PriceData(cache=None).prices(${query})))`;
    const whole = await print(print2);
    service.requests.splice(0);
    const errors = [{ in: 'query', name: 'uuid__in', code: 'too_many_items', detail: 'x', max: 500 }];
    // The price type's id is asked for first.
    const body = JSON.stringify({ status: 400, code: 'invalid', detail: 'x', errors });
    service.prepared.push({ status: 200, body: '[{"id": 12, "name": "RETAIL"}]' }, { status: 400, body });
    expect(await print(print2)).toBe(whole);
    const tables = service.requests.filter(({ url }) => url.includes('/PriceTable?'));
    expect(tables).toHaveLength(2);
    expect(tables[1]!.url).toMatch(/latest=1&as_of=r5&uuids=[-,\w]+$/);
  });

  it('says so where there is no service, and where a reply is cut', async () => {
    const failed = (url: string) =>
      print(`
try: pricedata.PriceData("${url}", cache=None).get("Source")
except pricedata.PriceDataError as error: print(error.status, error)`);
    expect(await failed('http://127.0.0.1:9')).toMatch(/^0 No whole reply from http:\/\/127\.0\.0\.1:9: /);
    service.prepared.push({ status: 200, headers: { 'Content-Length': '100' }, body: '[' });
    expect(await failed(service.url)).toMatch(/^0 No whole reply from /);
  });
});
