import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, addColumn } from './table-columns.js';

/** Who has published a rate or an index. Unknown for those from before. */
export class RateSources1764000000022 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    for (const table of ['fx_rate', 'cpi'])
      await addColumn(runner, table, column.optionalText('source', 200));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['cpi', 'fx_rate']) await runner.dropColumn(table, 'source');
  }
}
