/** @jest-environment ./test/support/environment.mjs */
import { Controller, Injectable, Module } from '@nestjs/common';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Column, Entity, Index } from 'typeorm';
import { pricePaths } from '../../src/config/price-paths.js';
import { Optional, OrNull } from '../../src/platform/validation/field.js';
import { Decimal, Flag, Id, OneOf, Text } from '../../src/platform/validation/fields.js';
import { NumberColumn, RequiredTextColumn, TextColumn } from '../../src/database/columns.js';
import { migrations } from '../../src/database/migrations/index.js';
import { TableColumns, createTable } from '../../src/database/migrations/table-columns.js';
import { ReferenceController } from '../../src/reference/base/reference.controller.js';
import { ReferenceEntity } from '../../src/reference/base/reference.entity.js';
import { ReferenceService } from '../../src/reference/base/reference.service.js';
import type { WriteFields } from '../../src/reference/base/write-fields.js';
import { ReferenceModule } from '../../src/reference/reference.module.js';
import type { TestApp } from '../support/test-app.js';
import { referenceTableSuite } from './reference-table-suite.js';
import type { ReferenceTableCase } from './reference-tables.js';

/*
 * A reference table that the service does not have, added as docs/adding-a-reference-table.md
 * describes: five classes, a migration and an entry of sample bodies. The shared suite tests the
 * rest.
 */

// trade-route.entity.ts
const KINDS = ['road', 'rail', 'river', 'sea'] as const;

/** A route between two markets. */
@Entity('trade_route')
@Index('uq_trade_route', ['name', 'kind'], { unique: true })
class TradeRoute extends ReferenceEntity {
  @RequiredTextColumn(80) name!: string;
  @TextColumn(10, { default: 'road' }) kind!: (typeof KINDS)[number];
  @NumberColumn({ nullable: true }) length_km!: number | null;
  @Column({ type: 'boolean', default: false }) open!: boolean;
}

// trade-route.dto.ts
class TradeRouteDto {
  static readonly entity = TradeRoute;
  /** Which read field each write field fills. */
  static readonly reads: WriteFields<TradeRouteDto, TradeRoute> = {
    trade_route_id: 'id',
    trade_route_name: 'name',
    trade_route_kind: 'kind',
    trade_route_length_km: 'length_km',
    trade_route_open: 'open',
  };

  @Optional(Id()) trade_route_id?: number;
  @Text(80, { example: 'Northern Corridor' }) trade_route_name!: string;
  @Optional(OneOf(KINDS)) trade_route_kind?: TradeRoute['kind'];
  @Optional(OrNull(Decimal({ above: 0 }))) trade_route_length_km?: number | null;
  @Optional(Flag()) trade_route_open?: boolean;
}

// trade-route.service.ts
@Injectable()
class TradeRouteService extends ReferenceService(TradeRoute) {}

// trade-route.controller.ts
@Controller(pricePaths('TradeRoute'))
class TradeRouteController extends ReferenceController(TradeRouteDto) {
  constructor(readonly service: TradeRouteService) {
    super();
  }
}

// trade-route.module.ts
@Module({ controllers: [TradeRouteController], providers: [TradeRouteService], exports: [TradeRouteService] })
class TradeRouteModule {}

// a migration
class TradeRoutes1799999999999 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const column = new TableColumns(runner);
    await createTable(runner, {
      name: 'trade_route',
      columns: [
        column.id(),
        column.text('name', 80),
        column.text('kind', 10, { default: "'road'" }),
        column.number('length_km', { isNullable: true }),
        column.flag('open'),
        column.version(),
        column.since(),
      ],
      indices: [{ name: 'uq_trade_route', columnNames: ['name', 'kind'], isUnique: true }],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('trade_route');
  }
}

// an entry of sample bodies
const tradeRoutes: ReferenceTableCase = {
  name: 'TradeRoute',
  table: 'trade_route',
  fields: {
    name: { kind: 'text', max: 80, required: true },
    kind: { kind: 'choice', allowed: KINDS },
    length_km: { kind: 'number', tooSmall: 0 },
    open: { kind: 'flag' },
  },
  required: ['name'],
  nullable: ['length_km'],
  unique: ['name', 'kind'],
  whole: { name: 'São Tomé – Príncipe', kind: 'sea', length_km: 141.5, open: true },
  nth: (n) => ({ name: `Route ${n}` }),
  defaults: { kind: 'road', length_km: null, open: false },
  change: { length_km: 150 },
  search: 'sao tome',
  seeds: [],
};

describe('an eighth reference table', () => {
  let service: TestApp;
  let auth: { Authorization: string };
  beforeAll(async () => {
    // The lines in reference.module.ts and migrations/index.ts, before anything else reads them.
    (Reflect.getMetadata('imports', ReferenceModule) as object[]).push(TradeRouteModule);
    migrations.push(TradeRoutes1799999999999);
    const { startTestApp } = await import('../support/test-app.js');
    service = await startTestApp();
    auth = await service.authHeader();
  });
  afterAll(() => service?.close());

  it('has a migration that agrees with its entity', async () => {
    const differences = await service.database.writer.driver.createSchemaBuilder().log();
    expect(differences.upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('is in the OpenAPI document', async () => {
    const { body } = await service.http().get('/openapi.json').expect(200);
    const operations = Object.entries(body.paths as Record<string, object>)
      .filter(([path]) => path.startsWith('/api/v1/TradeRoute'))
      .map(([path, methods]) => [path, Object.keys(methods)]);
    expect(operations).toEqual([
      ['/api/v1/TradeRoute', ['get', 'post']],
      ['/api/v1/TradeRoute/{id}', ['get', 'put', 'patch', 'delete']],
    ]);
    expect(body.components.schemas).toHaveProperty('TradeRouteCreate');
  });

  referenceTableSuite(tradeRoutes, () => ({ service, auth }));
});
