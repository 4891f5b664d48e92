import { isoFromDay } from '../../src/lib/dates/calendar-date.js';
import { PERIOD_NAMES, type Period } from '../../src/price-series/periodicity.js';
import { ObservationStore } from '../../src/prices/store/observation-store.js';
import { testChange } from './change-set.js';
import { storeIndices, storePoints, storeRates } from './price-fixture.js';
import type { TestApp } from './test-app.js';

type Key = [serieId: number, period: Period, day: number, value: number];

/** Changes prices, rates and indices at random: new, changed and removed ones. */
export class RandomChanges {
  private readonly store = new ObservationStore();
  private readonly added = { FxRate: 0, Cpi: 0 };

  constructor(
    private readonly service: TestApp,
    private readonly admin: { Authorization: string },
    private readonly random: () => number,
  ) {}

  async next(): Promise<void> {
    const { random } = this;
    const kind = random();
    if (kind < 0.3) return this.write(0.8 + 0.4 * random(), 0);
    if (kind < 0.5) return this.write(1, 1 + Math.floor(60 * random()));
    if (kind < 0.65) return this.remove();
    return this.changeRecord(kind < 0.85 ? 'FxRate' : 'Cpi');
  }

  /** Changes a point, or adds one some days after it. */
  private async write(factor: number, days: number): Promise<void> {
    const [serieId, period, day, value] = await this.point();
    const point = [isoFromDay(nextDay(period, day, days)), Math.round(value * factor * 100) / 100] as const;
    await storePoints(this.service.unitOfWork, serieId, { [PERIOD_NAMES[period]]: [point] });
  }

  /** Removes some points in a row. */
  private async remove(): Promise<void> {
    const [serieId, period, day] = await this.point();
    const keys = Array.from({ length: 45 }, (_, index) => ({ serieId, period, day: day + index }));
    await this.service.unitOfWork.change(testChange, (transaction) => this.store.remove(transaction, keys));
  }

  private async changeRecord(table: 'FxRate' | 'Cpi'): Promise<void> {
    const [name, field] = table === 'FxRate' ? ['fx_rate', 'rate'] : ['cpi', 'value'];
    const rows = await this.service.database.rows<{ id: number; value: number }>(
      `SELECT id, ${field} AS value FROM ${name} ORDER BY id`,
    );
    const { id, value } = rows[Math.floor(rows.length * this.random())]!;
    const address = `/api/v1/${table}/${id}/`;
    const kind = this.random();
    if (kind < 0.2) await this.service.http().delete(address).set(this.admin).expect(204);
    else if (kind < 0.8) {
      const body = { [field]: Math.round(value * (0.8 + 0.4 * this.random()) * 1000) / 1000 };
      await this.service.http().patch(address).set(this.admin).send(body).expect(200);
    } else await this.addRecord(table);
  }

  /** Adds rates of a currency that had none, and indices to the beginning of a country's. */
  private async addRecord(table: 'FxRate' | 'Cpi'): Promise<void> {
    const added = this.added[table]++;
    const date = `${2013 + Math.floor(added / 12)}-${String((added % 12) + 1).padStart(2, '0')}-01`;
    const { unitOfWork } = this.service;
    if (table === 'FxRate') await storeRates(unitOfWork, [['HTG', date, 50 + 20 * this.random()]]);
    else if (added < 24) await storeIndices(unitOfWork, [['NAM', date, 80 + 20 * this.random()]]);
    // Of an older base period, which counts for nothing.
    else await storeIndices(unitOfWork, [['NAM', date, 50, '2010']]);
  }

  /** A stored point. */
  private async point(): Promise<Key> {
    const [first] = await this.service.database.arrays<[number | string]>('SELECT COUNT(*) FROM observation');
    const offset = Math.floor(Number(first![0]) * this.random());
    const [row] = await this.service.database.arrays<Key>(
      `SELECT serie_id, period, day, value FROM observation ORDER BY serie_id, period, day LIMIT 1 OFFSET ${offset}`,
    );
    return row!;
  }
}

/** A day of the frequency: of a month the first, of a week the Friday. */
function nextDay(period: Period, day: number, days: number): number {
  if (period === 1) return day + days;
  if (period === 2) return day + 7 * Math.ceil(days / 7);
  const later = isoFromDay(day + days);
  return day + days - Number(later.slice(8)) + 1;
}
