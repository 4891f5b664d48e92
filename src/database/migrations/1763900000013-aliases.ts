import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, addColumn, createTable, foreignKey } from './table-columns.js';

/** The tables whose empty fields imports fill, with these fields. */
const FILLED = {
  market: ['code', 'latitude', 'longitude', 'type', 'info'],
  commodity: ['category', 'hs_code'],
  source: ['url', 'license'],
};

/** Other keys of records, other uuids of series, and the fields that maintainers have written. */
export class Aliases1763900000013 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    const key = ['iso3_country_code', 'admin_unit', 'admin_unit2', 'name'];
    await createTable(runner, {
      name: 'alias',
      columns: [
        column.id(),
        column.text('table_name', 50),
        column.integer('record_id'),
        column.text('name', 200),
        column.optionalText('iso3_country_code', 3),
        column.optionalText('admin_unit', 150),
        column.optionalText('admin_unit2', 150),
        column.version(),
        column.integer('since', { default: '0' }),
      ],
      indices: [
        { name: 'uq_alias', columnNames: ['table_name', ...key], isUnique: true },
        { name: 'ix_alias_record', columnNames: ['table_name', 'record_id'] },
      ],
    });
    await createTable(runner, {
      name: 'series_alias',
      columns: [
        column.text('uuid', 36, { isPrimary: true }),
        column.integer('serie_id'),
        column.integer('since', { default: '0' }),
      ],
      indices: [{ name: 'ix_series_alias_serie', columnNames: ['serie_id'] }],
      foreignKeys: [foreignKey('series_alias', 'serie_id', 'price_serie')],
      withoutRowid: true,
    });
    for (const table of Object.keys(FILLED))
      await addColumn(runner, table, column.optionalText('maintained_fields', 255));
    await this.readAuditLog(runner);
  }

  /** The fields that maintainers have changed so far. */
  private async readAuditLog(runner: QueryRunner): Promise<void> {
    for (const [table, names] of Object.entries(FILLED)) {
      const rows = (await runner.query(
        "SELECT record_id, `after` FROM audit_log WHERE action = 'update' AND table_name = ?",
        [table],
      )) as { record_id: number | string; after: string }[];
      const written = new Map<number, Set<string>>();
      for (const { record_id, after } of rows) {
        const fields = written.get(Number(record_id)) ?? new Set();
        for (const field of Object.keys(JSON.parse(after) as object)) fields.add(field);
        written.set(Number(record_id), fields);
      }
      for (const [id, fields] of written) {
        const maintained = names.filter((name) => fields.has(name)).join(',');
        await runner.query(`UPDATE ${table} SET maintained_fields = ? WHERE id = ?`, [maintained, id]);
      }
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(FILLED)) await runner.dropColumn(table, 'maintained_fields');
    for (const table of ['series_alias', 'alias']) await runner.dropTable(table);
  }
}
