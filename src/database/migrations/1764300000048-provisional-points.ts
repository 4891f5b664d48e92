import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumn } from './table-columns.js';

/** Whether a price is one that its source calls provisional. */
export class ProvisionalPoints1764300000048 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['observation', 'observation_version'])
      await addColumn(runner, table, { name: 'provisional', type: 'tinyint', default: '0' });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['observation_version', 'observation']) await runner.dropColumn(table, 'provisional');
  }
}
