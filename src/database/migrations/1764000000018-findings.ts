import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TableColumns, addColumn, createTable } from './table-columns.js';

/**
 * What rules have found in the data. Each change makes its own findings from here on; what has
 * changed since versions are kept is checked at the end of the next import, the rest by
 * `npm run findings`. An earlier release goes on writing: its changes are checked likewise.
 */
export class Findings1764000000018 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    const added = { findings_revision: '1', checked_revision: '0' };
    for (const [name, value] of Object.entries(added))
      await addColumn(runner, 'data_revision', column.bigInteger(name, { default: value }));
    await createTable(runner, {
      name: 'finding',
      columns: [
        column.id(),
        column.text('subject', 120),
        column.text('finding_key', 64),
        column.text('rule', 30),
        column.text('severity', 5),
        column.text('scope', 6),
        column.text('state', 9),
        column.integer('serie_id', { isNullable: true }),
        column.text('iso3_country_code', 3, { isNullable: true }),
        { name: 'period', type: 'tinyint', isNullable: true },
        column.integer('day', { isNullable: true }),
        column.number('value', { isNullable: true }),
        column.number('expected', { isNullable: true }),
        column.number('ratio', { isNullable: true }),
        column.longText('members', { isNullable: true }),
        column.text('detail', 1000),
        column.integer('change_set_id', { isNullable: true }),
        column.optionalText('reason', 500),
        column.since(),
      ],
      indices: [
        { name: 'uq_finding', columnNames: ['subject', 'finding_key'], isUnique: true },
        { name: 'ix_finding_change_set', columnNames: ['change_set_id'] },
      ],
    });
    await createTable(runner, {
      name: 'finding_member',
      columns: [
        column.integer('serie_id', { isPrimary: true }),
        column.integer('day', { isPrimary: true }),
        column.integer('finding_id', { isPrimary: true }),
      ],
      indices: [{ name: 'ix_finding_member_finding', columnNames: ['finding_id'] }],
      withoutRowid: true,
    });
    await createTable(runner, {
      name: 'series_outlier',
      columns: [
        column.integer('serie_id', { isPrimary: true }),
        column.integer('day', { isPrimary: true }),
        column.number('value'),
        column.number('median'),
      ],
      withoutRowid: true,
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['series_outlier', 'finding_member', 'finding']) await runner.dropTable(table);
    for (const name of ['checked_revision', 'findings_revision'])
      await runner.dropColumn('data_revision', name);
  }
}
