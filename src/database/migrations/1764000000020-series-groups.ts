import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, createTable } from './table-columns.js';

/**
 * What rules that compare series need to know about each of them. Filled with the findings: by each
 * change for what it changes, and for all series by `npm run findings`.
 */
export class SeriesGroups1764000000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    await createTable(runner, {
      name: 'series_group',
      columns: [
        column.integer('serie_id', { isPrimary: true }),
        column.text('peers', 100),
        column.text('place', 100),
        column.text('segment', 100),
      ],
      indices: [
        { name: 'ix_series_group_peers', columnNames: ['peers'] },
        { name: 'ix_series_group_place', columnNames: ['place'] },
        { name: 'ix_series_group_segment', columnNames: ['segment'] },
      ],
      withoutRowid: true,
    });
    await createTable(runner, {
      name: 'series_digest',
      columns: [column.integer('serie_id', { isPrimary: true }), column.text('digest', 32)],
      indices: [{ name: 'ix_series_digest', columnNames: ['digest'] }],
      withoutRowid: true,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['series_digest', 'series_group']) await runner.dropTable(table);
  }
}
