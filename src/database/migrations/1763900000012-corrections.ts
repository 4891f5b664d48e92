import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, createTable } from './table-columns.js';

/** What maintainers have set, added or removed, so that imports do not undo it. */
export class Corrections1763900000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    await createTable(runner, {
      name: 'correction',
      columns: [
        column.id(),
        column.text('state', 10),
        column.text('table_name', 50),
        column.integer('serie_id', { isNullable: true }),
        { name: 'period', type: 'tinyint', isNullable: true },
        column.integer('day'),
        column.integer('record_id', { isNullable: true }),
        column.optionalText('record_key', 200),
        column.flag('calculated'),
        column.number('base_value', { isNullable: true }),
        column.text('base_comment', 500, { isNullable: true }),
        column.integer('base_since', { default: '0' }),
        column.number('value', { isNullable: true }),
        column.text('comment', 500, { isNullable: true }),
        column.integer('change_set_id'),
        column.integer('since', { default: '0' }),
        column.integer('ended_change_set_id', { isNullable: true }),
        column.integer('until', { isNullable: true }),
      ],
      indices: [
        { name: 'ix_correction_point', columnNames: ['state', 'serie_id', 'period', 'day'] },
        { name: 'ix_correction_record', columnNames: ['state', 'table_name', 'record_key'] },
      ],
    });
    await addAuditedCorrections(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('correction');
  }
}

/** An entry of the audit log about a point. */
interface AuditedPoint {
  record_id: number | string;
  action: string;
  before: string | null;
  after: string | null;
  change_set_id: number | null;
}

/** The price and comment of a point, where they are known; null where there is no point. */
type PointValue = { price?: number; comment?: string } | null;

/** A point that maintainers have corrected: the source's value, and the last that they gave it. */
interface CorrectedPoint {
  base: PointValue;
  ours: PointValue;
  changeSetId: number;
}

/** Day numbers and period codes that fit into a point's id. */
const DAY_NUMBERS = 4_194_304;
const PERIOD_CODES = 4;
const BATCH = 1000;

/**
 * Makes corrections of the changes to points that the audit log has. One that an import has undone
 * in the meantime does not stand.
 */
async function addAuditedCorrections(runner: QueryRunner): Promise<void> {
  const points = new Map<number, CorrectedPoint>();
  for (let from = 0; ;) {
    const entries = (await runner.query(
      'SELECT id, record_id, action, `before`, `after`, change_set_id FROM audit_log' +
        ` WHERE table_name = 'observation' AND id > ${from} ORDER BY id LIMIT ${BATCH}`,
    )) as (AuditedPoint & { id: number })[];
    for (const entry of entries) addEntry(points, entry);
    if (entries.length < BATCH) break;
    from = entries.at(-1)!.id;
  }
  for (const [id, point] of points) await addStanding(runner, id, point);
}

/** Adds a change of a point to the changes before. An update has only the columns that differ. */
function addEntry(points: Map<number, CorrectedPoint>, entry: AuditedPoint): void {
  const id = Number(entry.record_id);
  const [before, after] = [parsePoint(entry.before), parsePoint(entry.after)];
  const earlier = points.get(id);
  // Otherwise an import in between has given the point another value: the source's now.
  const continues = earlier !== undefined && agree(before, earlier.ours);
  points.set(id, {
    base: continues ? earlier.base && { ...before, ...earlier.base } : before,
    ours: after && { ...(continues ? earlier.ours : before), ...after },
    changeSetId: entry.change_set_id ?? 1,
  });
}

function parsePoint(json: string | null): PointValue {
  if (json === null) return null;
  const { price_value: price, comment } = JSON.parse(json) as { price_value?: number; comment?: string };
  return { ...(price !== undefined && { price }), ...(comment !== undefined && { comment }) };
}

/** Adds a correction that stands, if the point still has the value that maintainers gave it. */
async function addStanding(
  runner: QueryRunner,
  id: number,
  { base, ours, changeSetId }: CorrectedPoint,
): Promise<void> {
  const day = id % DAY_NUMBERS;
  const serieAndPeriod = (id - day) / DAY_NUMBERS;
  const period = serieAndPeriod % PERIOD_CODES;
  const serieId = Math.floor(serieAndPeriod / PERIOD_CODES);
  const where = `serie_id = ${serieId} AND period = ${period} AND day = ${day}`;
  const [[stored], [series], [existing]] = (await Promise.all([
    runner.query(`SELECT value, comment, calculated FROM observation WHERE ${where}`),
    runner.query(`SELECT marked_periods FROM price_serie WHERE id = ${serieId}`),
    runner.query(`SELECT id FROM correction WHERE ${where}`),
  ])) as [
    { value: number; comment: string | null; calculated: number }[],
    { marked_periods: number }[],
    object[],
  ];
  // An interrupted run of the migration may have added it already.
  if (series === undefined || existing !== undefined) return;
  const now: PointValue = stored ? { price: stored.value, comment: stored.comment ?? '' } : null;
  // What the log does not have of the source's value was never changed.
  const source = base && { ...now, ...base };
  if (!agree(now, ours) || agree(now, source)) return;
  const calculated = stored ? Boolean(stored.calculated) : ((series.marked_periods >> period) & 1) === 1;
  await runner.query(
    'INSERT INTO correction (state, table_name, serie_id, period, day, calculated, base_value, base_comment,' +
      " value, comment, change_set_id) VALUES ('standing', 'observation', ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [
      serieId,
      period,
      day,
      calculated ? 1 : 0,
      source?.price ?? null,
      source?.comment || null,
      now?.price ?? null,
      now?.comment || null,
      changeSetId,
    ],
  );
}

/** Whether two points can be the same, as far as they are known. */
function agree(one: PointValue, other: PointValue): boolean {
  if (one === null || other === null) return one === other;
  return (['price', 'comment'] as const).every(
    (name) => one[name] === undefined || other[name] === undefined || one[name] === other[name],
  );
}
