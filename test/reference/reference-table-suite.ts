import type { TestApp } from '../support/test-app.js';
import type { ReferenceTableCase } from './reference-tables.js';
import { operations } from './suite/operations.js';
import { access } from './suite/access.js';
import { badInput } from './suite/bad-input.js';
import { uniqueKey } from './suite/unique-key.js';
import { conditions } from './suite/conditions.js';
import { auditTrail } from './suite/audit-trail.js';
import { idempotencyKeys } from './suite/idempotency-keys.js';
import { lists } from './suite/lists.js';
import { TableClient, type Headers } from './table-client.js';

/** Everything that is true of every reference table. */
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

  describe('operations', () => operations(table, current));
  describe('access', () => access(table, current));
  describe('bad input', () => badInput(table, current));
  describe('the unique key', () => uniqueKey(table, current));
  describe('conditions', () => conditions(table, current));
  describe('the audit trail', () => auditTrail(table, current));
  describe('idempotency keys', () => idempotencyKeys(table, current));
  describe('lists', () => lists(table, current));
}
