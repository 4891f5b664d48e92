import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, createTable, insertRows } from './table-columns.js';

/** The seven reference tables. FPMA clients request price types by id, so these ids are fixed. */
export class ReferenceTables1763700000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    const unique = (table: string, columnNames: string[]) => [
      { name: `uq_${table}`, columnNames, isUnique: true },
    ];

    await createTable(runner, {
      name: 'price_type',
      columns: [
        column.id(),
        column.text('name', 50),
        column.optionalText('description', 500),
        column.version(),
      ],
      indices: unique('price_type', ['name']),
    });
    await insertRows(
      runner,
      "price_type (id, name) VALUES (11, 'EXPORT'), (12, 'RETAIL'), (13, 'WHOLESALE'), (17, 'IMPORT')",
    );
    await createTable(runner, {
      name: 'source',
      columns: [
        column.id(),
        column.text('name', 200),
        column.optionalText('url', 500),
        column.optionalText('license', 500),
        column.version(),
      ],
      indices: unique('source', ['name']),
    });
    await createTable(runner, {
      name: 'measure_unit',
      columns: [
        column.id(),
        column.text('name', 100),
        column.text('dimension', 10, { default: "'other'" }),
        column.number('conversion_factor', { isNullable: true }),
        column.version(),
      ],
      indices: unique('measure_unit', ['name']),
    });
    await createTable(runner, {
      name: 'commodity',
      columns: [
        column.id(),
        column.text('name', 200),
        column.text('hs_code', 12, { isNullable: true }),
        column.optionalText('category', 100),
        column.version(),
      ],
      indices: unique('commodity', ['name']),
    });
    await createTable(runner, {
      name: 'market',
      columns: [
        column.id(),
        column.text('name', 200),
        column.optionalText('type', 100),
        column.optionalText('code', 50),
        column.text('iso3_country_code', 3),
        column.optionalText('country_name', 200),
        column.optionalText('admin_unit', 150),
        column.optionalText('admin_unit2', 150),
        column.number('latitude', { isNullable: true }),
        column.number('longitude', { isNullable: true }),
        column.optionalText('info', 2000),
        column.flag('regional_average'),
        column.version(),
      ],
      indices: unique('market', ['iso3_country_code', 'admin_unit', 'admin_unit2', 'name']),
    });
    await createTable(runner, {
      name: 'fx_rate',
      columns: [
        column.id(),
        column.text('currency', 3),
        column.date('date'),
        column.text('period', 10, { default: "'monthly'" }),
        column.number('rate'),
        column.text('rate_type', 10, { default: "'official'" }),
        column.version(),
      ],
      indices: unique('fx_rate', ['currency', 'rate_type', 'period', 'date']),
    });
    await createTable(runner, {
      name: 'cpi',
      columns: [
        column.id(),
        column.text('iso3_country_code', 3),
        column.date('date'),
        column.text('item', 10, { default: "'general'" }),
        column.number('value'),
        column.text('base_period', 20),
        column.version(),
      ],
      indices: unique('cpi', ['iso3_country_code', 'item', 'base_period', 'date']),
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['cpi', 'fx_rate', 'market', 'commodity', 'measure_unit', 'source', 'price_type']) {
      await runner.dropTable(table);
    }
  }
}
