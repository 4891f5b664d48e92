import { TableIndex, type MigrationInterface, type QueryRunner } from 'typeorm';

const POINT = { name: 'ix_correction_point', columnNames: ['state', 'serie_id', 'period', 'day'] };
const RECORD = { name: 'ix_correction_record', columnNames: ['state', 'table_name', 'record_key'] };

/**
 * On SQLite the indices of corrections hold only what is looked up in them, the standing ones: each
 * correction of a point had an entry in both, and moved within both when it ended. MySQL and
 * MariaDB have no partial indices.
 */
export class PartialCorrectionIndices1764000000033 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await replaceIndices(runner, {
      point: "state = 'standing'",
      record: "state = 'standing' AND record_key <> ''",
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceIndices(runner, {});
  }
}

async function replaceIndices(
  runner: QueryRunner,
  where: { point?: string; record?: string },
): Promise<void> {
  if (runner.dataSource.options.type !== 'better-sqlite3') return;
  for (const index of [
    { ...POINT, where: where.point },
    { ...RECORD, where: where.record },
  ]) {
    await runner.dropIndex('correction', index.name);
    await runner.createIndex('correction', new TableIndex(index));
  }
}
