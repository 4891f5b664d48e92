/** @jest-environment ./test/support/environment.mjs */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Optional } from '../../src/platform/validation/field.js';
import { Text } from '../../src/platform/validation/fields.js';
import { TextColumn } from '../../src/database/columns.js';
import { migrations } from '../../src/database/migrations/index.js';
import { TableColumns, addColumn } from '../../src/database/migrations/table-columns.js';
import { CommodityDto } from '../../src/reference/commodity/commodity.dto.js';
import { Commodity } from '../../src/reference/commodity/commodity.entity.js';
import type { TestApp } from '../support/test-app.js';
import { referenceTableSuite } from './reference-table-suite.js';
import { referenceTableCases, type ReferenceTableCase } from './reference-tables.js';
import { testChange } from '../support/change-set.js';

/*
 * A field that the service does not have, added as docs/adding-a-field.md describes: a column, a
 * field of the DTO, a migration and its sample values. The shared suite tests the rest.
 */

// commodity.entity.ts: @TextColumn(60) variety!: string;
TextColumn(60)(Commodity.prototype, 'variety');

// commodity.dto.ts: commodity_variety: 'variety', and
// @Optional(Text(60)) commodity_variety?: string;
Object.assign(CommodityDto.reads, { commodity_variety: 'variety' });
Optional(Text(60))(CommodityDto.prototype as { commodity_variety?: string }, 'commodity_variety');

// a migration
class CommodityVariety1799999999999 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await addColumn(runner, 'commodity', new TableColumns(runner).optionalText('variety', 60));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE commodity DROP COLUMN variety');
  }
}

// sample values
const commodities = referenceTableCases.find(({ name }) => name === 'Commodity')!;
const withVariety: ReferenceTableCase = {
  ...commodities,
  fields: { ...commodities.fields, variety: { kind: 'text', max: 60 } },
  whole: { ...commodities.whole, variety: 'Hâtif' },
  defaults: { ...commodities.defaults, variety: '' },
};

describe('a new field of a reference table', () => {
  let service: TestApp;
  let auth: { Authorization: string };
  beforeAll(async () => {
    // The line in migrations/index.ts.
    migrations.push(CommodityVariety1799999999999);
    const { startTestApp } = await import('../support/test-app.js');
    service = await startTestApp();
    auth = await service.authHeader();
  });
  afterAll(() => service?.close());

  it('has a migration that agrees with its column', async () => {
    const differences = await service.database.writer.driver.createSchemaBuilder().log();
    expect(differences.upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('has a migration that can be reverted, and after which no id is used again', async () => {
    const source = service.database.writer;
    const insert = () =>
      service.unitOfWork.change(testChange, (transaction) =>
        transaction.execute("INSERT INTO commodity (name) VALUES ('Maize')"),
      );
    const { insertId } = await insert();
    await source.query('DELETE FROM commodity');
    await source.undoLastMigration({ transaction: 'none' });
    await source.runMigrations({ transaction: 'none' });
    expect(await insert()).toMatchObject({ insertId: insertId + 1 });
  });

  it('is in the OpenAPI document', async () => {
    const { body } = await service.http().get('/openapi.json').expect(200);
    const { Commodity: record, CommodityCreate: create } = body.components.schemas;
    const schema = { type: 'string', maxLength: 60 };
    expect(record.properties.variety).toEqual(schema);
    expect(create.properties.commodity_variety).toEqual(schema);
  });

  referenceTableSuite(withVariety, () => ({ service, auth }));
});
