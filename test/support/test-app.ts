import type { INestApplication, Type } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import supertest from 'supertest';
import { AppModule } from '../../src/app.module.js';
import { Clock } from '../../src/platform/clock/clock.js';
import { ProcessorClock } from '../../src/platform/http/overload/throttle.js';
import { ServiceExpressAdapter } from '../../src/platform/http/express.adapter.js';
import { Environment, type Variables } from '../../src/config/environment.js';
import { Database } from '../../src/database/database.js';
import { DatabaseConnector } from '../../src/database/database-connector.js';
import { DataRevision } from '../../src/ledger/revision/data-revision.js';
import { UnitOfWork } from '../../src/ledger/unit-of-work.js';
import { applicationOptions, configureApp } from '../../src/configure-app.js';
import { importInProcess } from './imports-in-process.js';
import { openDatabase } from './open-database.js';

/** A clock that stands still until a test sets it. */
export class TestClock extends Clock {
  constructor(public milliseconds = Date.parse('2026-11-21T12:00:00Z')) {
    super();
  }
  override now(): number {
    return this.milliseconds;
  }
}

/** The account of a new test application. */
export const testAdmin = { username: 'admin', password: 'tundra lamp 47 orchid' };

/**
 * The whole service with a database of its own, as in production except for port and clock, and for
 * imports, which run in this process.
 */
export interface TestApp {
  app: INestApplication;
  clock: TestClock;
  /** The processor time: what a reply costs does not depend on the machine. */
  processor: TestClock;
  database: Database;
  revision: DataRevision;
  unitOfWork: UnitOfWork;
  /** `http().get('/api/v1/Commodity/')` … */
  http: () => ReturnType<typeof supertest>;
  /** Logs in and returns the header for writes: `.set(await service.authHeader())`. */
  authHeader: (account?: { username: string; password: string }) => Promise<{ Authorization: string }>;
  close: () => Promise<void>;
}

/**
 * Starts the service.
 * @param variables settings, as environment variables
 * @param modules in addition to those of the service
 */
export async function startTestApp(
  variables: Variables = {},
  modules: Type[] = [],
  extend: (app: INestApplication) => void = () => undefined,
): Promise<TestApp> {
  // On a server, the application expects that migrations were run.
  const { url, database: opened, drop } = await openDatabase();
  await opened.close();
  const clock = new TestClock();
  const processor = new TestClock(0);
  const environment = new Environment({
    DATABASE_URL: url,
    LOG_LEVEL: 'silent',
    SAMPLE_DATA: 'off',
    ADMIN_PASSWORD: testAdmin.password,
    JWT_SECRET: 'a secret of the test suite, 0123456789',
    ...variables,
  });
  const module = await Test.createTestingModule({ imports: [AppModule, ...modules] })
    .overrideProvider(Environment)
    .useValue(environment)
    .overrideProvider(ProcessorClock)
    .useValue(processor)
    .overrideProvider(Clock)
    .useValue(clock)
    .compile();
  const app = module.createNestApplication(new ServiceExpressAdapter(), {
    ...applicationOptions,
    logger: false,
  });
  configureApp(app);
  importInProcess(app);
  extend(app);
  await app.listen(0, '127.0.0.1');
  await app.get(DatabaseConnector).ready;
  // A machine that runs the suite may hold a process up for longer than that; then nothing would be
  // served from the page cache, and statements would be counted that a service has no need of.
  app.get(DataRevision).maxAge = 60_000;
  const http = () => supertest(app.getHttpServer());
  return {
    app,
    clock,
    processor,
    database: app.get(Database),
    revision: app.get(DataRevision),
    unitOfWork: app.get(UnitOfWork),
    http,
    authHeader: async (account = testAdmin) => {
      const { body } = await http().post('/api/auth/login/').send(account).expect(200);
      return { Authorization: `Bearer ${(body as { access: string }).access}` };
    },
    close: async () => {
      await app.close();
      await drop();
    },
  };
}
