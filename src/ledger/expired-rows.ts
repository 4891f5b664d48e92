import type { EntityTarget, ObjectLiteral } from 'typeorm';
import type { Database } from '../database/database.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Rows removed per transaction. */
const BATCH_SIZE = 1000;

/**
 * Removes the rows of a table whose time is before a cutoff, in small transactions so that other
 * writes need not wait.
 */
export async function removeExpired<E extends ObjectLiteral>(
  database: Database,
  unitOfWork: UnitOfWork,
  entity: EntityTarget<E>,
  timeColumn: keyof E & string,
  before: string,
): Promise<void> {
  const { tableName, primaryColumns } = database.writer.getMetadata(entity);
  const sql = `SELECT ${primaryColumns[0]!.databaseName} FROM ${tableName} WHERE ${timeColumn} < ? LIMIT ${BATCH_SIZE}`;
  for (;;) {
    const rows = await database.arrays<[string] | [number]>(sql, [before]);
    if (rows.length === 0) return;
    const keys = rows.map(([key]) => key) as string[] | number[];
    await unitOfWork.run((transaction) => transaction.manager.delete(entity, keys));
  }
}
