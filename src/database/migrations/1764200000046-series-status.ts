import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';
import { addColumn } from './table-columns.js';

/** Whether the prices of a series were observed, are estimates, or are forecasts. */
export class SeriesStatus1764200000046 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['price_serie', 'price_serie_version'])
      await addColumn(runner, table, { name: 'status', type: 'tinyint', default: '0' });
    const index = new TableIndex({ name: 'ix_price_serie_status', columnNames: ['status'] });
    const table = await runner.getTable('price_serie');
    if (!table!.indices.some(({ name }) => name === index.name))
      await runner.createIndex('price_serie', index);
    // An earlier release would list estimates among observed prices, and lose the status of series
    // that it changes.
    await runner.query('UPDATE data_revision SET oldest_writer = 1764200000046');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropIndex('price_serie', 'ix_price_serie_status');
    for (const table of ['price_serie_version', 'price_serie']) await runner.dropColumn(table, 'status');
  }
}
