import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, addColumn, createTable } from './table-columns.js';

/** The tables whose rows have versions. */
const VERSIONED = [
  'price_type',
  'fx_rate',
  'cpi',
  'market',
  'commodity',
  'source',
  'measure_unit',
  'price_serie',
  'series_period',
  'observation',
];

/**
 * Superseded versions of points, periodicity, series and records, and what each revision has done.
 * The new column has a constant default, so no engine rewrites a row for it.
 */
export class History1763900000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    // An earlier release would write without versions.
    await runner.query('UPDATE data_revision SET oldest_writer = 1763900000011');
    for (const table of VERSIONED) await addColumn(runner, table, column.since());
    const key = (name: string) => column.integer(name, { isPrimary: true });
    const versionOfPoint = [key('serie_id'), { name: 'period', type: 'tinyint', isPrimary: true }];
    const known = [key('until'), column.since()];
    await createTable(runner, {
      name: 'observation_version',
      columns: [
        ...versionOfPoint,
        key('day'),
        ...known,
        column.number('value'),
        column.flag('calculated'),
        column.text('comment', 500, { isNullable: true }),
      ],
      withoutRowid: true,
    });
    await createTable(runner, {
      name: 'series_period_version',
      columns: [
        ...versionOfPoint,
        ...known,
        column.integer('start_day'),
        column.integer('end_day'),
        column.flag('calculated'),
        column.integer('points'),
      ],
      withoutRowid: true,
    });
    await createTable(runner, {
      name: 'price_serie_version',
      columns: [
        key('id'),
        ...known,
        column.text('uuid', 36),
        ...['commodity', 'price_type', 'market', 'source', 'measure_unit'].map((table) =>
          column.integer(`${table}_id`),
        ),
        column.text('currency', 3),
        { name: 'marked_periods', type: 'tinyint', default: '0' },
      ],
      indices: [{ name: 'ix_price_serie_version_uuid', columnNames: ['uuid'] }],
      withoutRowid: true,
    });
    await createTable(runner, {
      name: 'record_version',
      columns: [
        column.text('table_name', 50, { isPrimary: true }),
        key('record_id'),
        ...known,
        column.integer('version'),
        column.longText('attributes'),
      ],
      withoutRowid: true,
    });
    await createTable(runner, {
      name: 'series_change',
      columns: [
        column.bigInteger('revision', { isPrimary: true }),
        key('serie_id'),
        column.text('action', 7),
        column.integer('added'),
        column.integer('changed'),
        column.integer('removed'),
        column.integer('first_day', { isNullable: true }),
        column.integer('last_day', { isNullable: true }),
      ],
      indices: [{ name: 'ix_series_change_serie', columnNames: ['serie_id'] }],
      withoutRowid: true,
    });
    await createTable(runner, {
      name: 'record_change',
      columns: [
        column.bigInteger('revision', { isPrimary: true }),
        column.text('table_name', 50, { isPrimary: true }),
        key('record_id'),
        column.text('action', 7),
      ],
      withoutRowid: true,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    const tables = [
      'record_change',
      'series_change',
      'record_version',
      'price_serie_version',
      'series_period_version',
      'observation_version',
    ];
    for (const table of tables) await runner.dropTable(table);
    for (const table of VERSIONED) await runner.dropColumn(table, 'since');
  }
}
