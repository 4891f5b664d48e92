import type { TestApp } from '../support/test-app.js';
import type { ReferenceTableCase } from './reference-tables.js';
import { operationTests } from './suite/operations.js';
import { accessTests } from './suite/access.js';
import { invalidInputTests } from './suite/invalid-input.js';
import { uniqueKeyTests } from './suite/unique-key.js';
import { preconditionTests } from './suite/preconditions.js';
import { auditTrailTests } from './suite/audit-trail.js';
import { idempotencyKeyTests } from './suite/idempotency-keys.js';
import { importTests } from './suite/imports.js';
import { listTests } from './suite/lists.js';
import { TableClient, type Headers } from './table-client.js';

/** The tests that every reference table must pass. */
export function referenceTableSuite(
  table: ReferenceTableCase,
  started: () => { service: TestApp; auth: Headers },
): void {
  let client: TableClient;
  const current = () => client;
  beforeEach(async () => {
    const { service, auth } = started();
    client = new TableClient(service, table, auth);
    await client.clear();
  });

  describe('operations', () => operationTests(table, current));
  describe('access', () => accessTests(table, current));
  describe('invalid input', () => invalidInputTests(table, current));
  describe('the unique key', () => uniqueKeyTests(table, current));
  describe('preconditions', () => preconditionTests(table, current));
  describe('the audit trail', () => auditTrailTests(table, current));
  describe('idempotency keys', () => idempotencyKeyTests(table, current));
  describe('lists', () => listTests(table, current));
  describe('imports', () => importTests(table, current));
}
