import { parse } from 'csv-parse/sync';
import { readFileSync, statSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describeWithRealData, realData, realDataFiles, WITH_PROOFS } from '../support/real-data.js';
import { seeded } from '../../bench/data.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

type Row = Record<string, string>;

/** What a test believes of a correction: what it set, and what the source had. */
interface Expected {
  uuid: string;
  date: string;
  base: number | null;
  ours: number | null;
  state: 'standing' | 'confirmed' | 'superseded';
}

const sizeOf = (path: string) => statSync(realData(path), { throwIfNoEntry: false })?.size ?? 0;

/**
 * The files of the World Food Programme by year, and those of two of their countries; the smaller
 * ones, unless by hand.
 */
const FILES = [
  ...realDataFiles('wfp/new_format_yearly').map((path) => ({ path, country: '' })),
  { path: 'wfp/new_format/wfp_food_prices_blr.csv', country: 'BLR' },
  { path: 'wfp/new_format/wfp_food_prices_cog.csv', country: 'COG' },
].filter(({ path }) => WITH_PROOFS || sizeOf(path) < 75_000);
const CORRECTIONS = 200;
const COLUMNS = ['admin1', 'admin2', 'market', 'commodity', 'unit', 'pricetype', 'currency', 'date'];

/** A number as the service stores it. */
const exact = (value: number) => Number(value.toPrecision(15));

/** What identifies a price, in the words of the files. */
const keyOf = (row: Row, country: string) =>
  [country || row.countryiso3!, ...COLUMNS.map((column) => row[column]!)].join('|').toLowerCase();

function readRows(path: string): Row[] {
  const bytes = readFileSync(realData(path));
  return parse(path.endsWith('.gz') ? gunzipSync(bytes) : bytes, { columns: true });
}

function toCsv(rows: readonly Row[]): string {
  const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = [Object.keys(rows[0]!), ...rows.map((row) => Object.values(row))];
  return lines.map((line) => line.map(cell).join(',')).join('\n') + '\n';
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const keys = new Map(items.map((item) => [item, random()]));
  return [...items].sort((a, b) => keys.get(a)! - keys.get(b)!);
}

describeWithRealData('corrections of published files', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeAll(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
  });
  afterAll(() => service?.close());

  const upload = async (rows: readonly Row[], country: string) => {
    const { body } = await service
      .http()
      .post(`/api/v1/Import/?format=wfp${country && `&country=${country}`}`)
      .set({ ...admin, 'Content-Type': 'text/csv' })
      .send(toCsv(rows))
      .expect(200);
    return body as Record<string, number>;
  };
  const pointsOf = async (uuid: string) => {
    const { body } = await service.http().get(`/api/v1/PriceSeriePrice/${uuid}/`).expect(200);
    type Point = { id: number; date: string; price_value: number; calculated?: boolean };
    const { datapoints } = body as { datapoints: Point[] };
    return new Map(datapoints.filter((one) => !one.calculated).map((one) => [one.date, one]));
  };

  /** The exported prices, by their keys. */
  async function exported(): Promise<Map<string, Row>> {
    const { text } = await service.http().get('/api/v1/PriceSeriePrice/?format=csv').expect(200);
    const found = new Map<string, Row>();
    for (const row of parse<Row>(text, { columns: true })) {
      if (row.calculated === 'true') continue;
      const texts = [row.admin_unit, row.admin_unit2, row.market, row.commodity, row.measure_unit];
      const key = [row.iso3_country_code, ...texts, row.price_type, row.currency, row.date].join('|');
      found.set(key.toLowerCase(), row);
    }
    return found;
  }

  it('stand where a file repeats their base, and end where it confirms or speaks anew', async () => {
    const random = seeded(41);
    const files = shuffled(
      FILES.map((file) => ({ ...file, rows: readRows(file.path) })),
      random,
    );
    for (const { rows, country } of files) await upload(rows, country);

    // Prices are dated in the middle of a month by the files, and on its first day by the service.
    const monthKey = (row: Row, country: string) =>
      keyOf({ ...row, date: `${row.date!.slice(0, 7)}-01` }, country);
    const stored = await exported();
    const candidates = files
      .flatMap(({ rows, country }) => rows.map((row) => monthKey(row, country)))
      .filter((key) => stored.has(key));
    const keys = shuffled([...new Set(candidates)], random).slice(0, CORRECTIONS);
    expect(keys).toHaveLength(CORRECTIONS);

    const corrections = new Map<string, Expected>();
    const inFiles = new Map<string, string>();
    for (const [index, key] of keys.entries()) {
      const { uuid, date } = stored.get(key)! as { uuid: string; date: string };
      const { id, price_value: base } = (await pointsOf(uuid)).get(date)!;
      const address = `/api/v1/PriceSeriePrice/${uuid}/${id}/`;
      const ours = index % 5 === 4 ? null : exact(base + 1000);
      if (ours === null) await service.http().delete(address).set(admin).expect(204);
      else
        await service
          .http()
          .patch(address)
          .set(admin)
          .send(index % 5 === 3 ? { comment: 'Seen' } : { price_value: ours })
          .expect(200);
      corrections.set(key, {
        uuid,
        date,
        base,
        ours: index % 5 === 3 ? base : ours,
        state: 'standing',
      });
      // The next edition confirms some, has new values for others, and leaves some out.
      if (index % 5 === 0 && index % 2 === 0) inFiles.set(key, String(exact(base + 1000)));
      if (index % 7 === 0) inFiles.set(key, String(exact(base + 3)));
      if (index % 11 === 0) inFiles.set(key, '');
    }

    const counted = { corrections_kept: 0, corrections_confirmed: 0, corrections_superseded: 0 };
    const reported = { ...counted };
    for (const { rows, country } of shuffled(files, random)) {
      const edition = rows
        .filter((row) => inFiles.get(monthKey(row, country)) !== '')
        .map((row) => ({ ...row, price: inFiles.get(monthKey(row, country)) ?? row.price! }));
      for (const row of edition) {
        const correction = corrections.get(monthKey(row, country));
        if (correction?.state !== 'standing') continue;
        const theirs = exact(Number(row.price));
        if (theirs === correction.base) counted.corrections_kept++;
        else if (theirs === correction.ours) {
          counted.corrections_confirmed++;
          correction.state = 'confirmed';
        } else {
          counted.corrections_superseded++;
          correction.state = 'superseded';
          correction.ours = theirs;
        }
      }
      const report = await upload(edition, country);
      for (const name of Object.keys(counted) as (keyof typeof counted)[]) reported[name] += report[name]!;
    }
    expect(reported).toEqual(counted);
    for (const count of Object.values(counted)) expect(count).toBeGreaterThan(10);
    const now = new Map<string, number | null>();
    for (const { uuid, date } of corrections.values())
      now.set(`${uuid} ${date}`, (await pointsOf(uuid)).get(date)?.price_value ?? null);
    const expected = [...corrections.values()].map(
      ({ uuid, date, ours }) => [`${uuid} ${date}`, ours] as const,
    );
    expect(now).toEqual(new Map(expected));
  }, 300_000);
});
