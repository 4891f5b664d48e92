import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, createTable, foreignKey } from './table-columns.js';

/** Price series, their periods, and the stored points. */
export class PriceSeries1763700000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    const references = ['commodity', 'price_type', 'market', 'source', 'measure_unit'];
    await createTable(runner, {
      name: 'price_serie',
      columns: [
        column.id(),
        column.text('uuid', 36),
        ...references.map((table) => column.integer(`${table}_id`)),
        column.text('currency', 3),
        { name: 'marked_periods', type: 'tinyint', default: '0' },
        column.bigInteger('revision', { default: '0' }),
      ],
      indices: [
        { name: 'uq_price_serie_uuid', columnNames: ['uuid'], isUnique: true },
        { name: 'ix_price_serie_revision', columnNames: ['revision'] },
        ...references.map((table) => ({ name: `ix_price_serie_${table}`, columnNames: [`${table}_id`] })),
      ],
      foreignKeys: references.map((table) => foreignKey('price_serie', `${table}_id`, table)),
    });
    await createTable(runner, {
      name: 'series_period',
      columns: [
        { name: 'serie_id', type: 'integer', isPrimary: true },
        { name: 'period', type: 'tinyint', isPrimary: true },
        column.integer('start_day'),
        column.integer('end_day'),
        column.flag('calculated'),
        column.integer('points'),
      ],
      foreignKeys: [foreignKey('series_period', 'serie_id', 'price_serie')],
      withoutRowid: true,
    });
    await createTable(runner, {
      name: 'observation',
      columns: [
        { name: 'serie_id', type: 'integer', isPrimary: true },
        { name: 'period', type: 'tinyint', isPrimary: true },
        { name: 'day', type: 'integer', isPrimary: true },
        column.number('value'),
        column.flag('calculated'),
        column.text('comment', 500, { isNullable: true }),
      ],
      foreignKeys: [foreignKey('observation', 'serie_id', 'price_serie')],
      withoutRowid: true,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['observation', 'series_period', 'price_serie']) await runner.dropTable(table);
  }
}
