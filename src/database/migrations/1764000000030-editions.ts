import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, createTable, insertRows } from './table-columns.js';

/** The editions, and the row that locks out a second maker. The files are in a folder. */
export class Editions1764000000030 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    await createTable(runner, {
      name: 'edition',
      columns: [
        { name: 'number', type: 'integer', isPrimary: true },
        column.optionalText('title', 100),
        column.integer('revision'),
        column.text('state', 10, { default: "'running'" }),
        column.instant('started_at'),
        column.instant('ended_at', { isNullable: true }),
        column.optionalText('error', 500),
        column.longText('contents', { isNullable: true }),
      ],
    });
    await createTable(runner, {
      name: 'edition_lock',
      columns: [
        { name: 'id', type: 'integer', isPrimary: true },
        column.text('holder', 36, { isNullable: true }),
        column.bigInteger('seen_at', { default: '0' }),
        column.integer('edition', { isNullable: true }),
      ],
    });
    await insertRows(runner, 'edition_lock (id) VALUES (1)');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['edition_lock', 'edition']) await runner.dropTable(table);
  }
}
