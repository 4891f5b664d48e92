import { startTestApp, type TestApp } from './support/test-app.js';
import { referenceTableSuite } from './reference/reference-table-suite.js';
import { referenceTableCases } from './reference/reference-tables.js';

describe('reference tables', () => {
  let service: TestApp;
  let auth: { Authorization: string };
  beforeAll(async () => {
    service = await startTestApp();
    auth = await service.authHeader();
  });
  afterAll(() => service?.close());

  describe.each(referenceTableCases)('$name', (table) =>
    referenceTableSuite(table, () => ({ service, auth })),
  );
});
