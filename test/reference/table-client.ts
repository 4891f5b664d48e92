import type { Response, Test } from 'supertest';
import type { TestApp } from '../support/test-app.js';
import type { RecordFields, ReferenceTableCase } from './reference-tables.js';
import { testChange } from '../support/change-set.js';

export type Headers = Record<string, string>;

interface AuditRow {
  account_id: number;
  request_id: string;
  record_id: number;
  action: string;
  before: unknown;
  after: unknown;
}

/** Sends requests to the routes of one reference table, and queries its rows in the database. */
export class TableClient {
  constructor(
    readonly service: TestApp,
    readonly table: ReferenceTableCase,
    /** The header of an account that may write. */
    readonly auth: Headers,
  ) {}

  get path(): string {
    return `/api/v1/${this.table.name}/`;
  }

  get(rest: string | number = '', headers: Headers = {}): Test {
    const path = typeof rest === 'number' ? `${rest}/` : rest;
    return this.service
      .http()
      .get(this.path + path)
      .set(headers);
  }

  /** @param body an object, or the text of the body */
  post(body: object | string, headers: Headers = {}): Test {
    return this.send(this.service.http().post(this.path), body, headers);
  }

  put(id: number | string, body: object | string, headers: Headers = {}): Test {
    return this.send(this.service.http().put(`${this.path}${id}/`), body, headers);
  }

  patch(id: number | string, body: object | string, headers: Headers = {}): Test {
    return this.send(this.service.http().patch(`${this.path}${id}/`), body, headers);
  }

  delete(id: number | string, headers: Headers = {}): Test {
    return this.service
      .http()
      .delete(`${this.path}${id}/`)
      .set({ ...this.auth, ...headers });
  }

  /** Creates a record and returns its id. */
  async create(fields: RecordFields = this.table.whole): Promise<number> {
    const response: Response = await this.post(this.prefixed(fields));
    expect({ status: response.status, body: response.body as unknown }).toMatchObject({ status: 201 });
    return (response.body as { id: number }).id;
  }

  /** A body with the write names of these fields. */
  prefixed(fields: RecordFields): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [`${this.table.table}_${name}`, value]),
    );
  }

  /** The record with these fields, in the order in which it is read. */
  record(id: number, fields: RecordFields): Record<string, unknown> {
    return { id, ...Object.fromEntries(Object.keys(this.table.whole).map((name) => [name, fields[name]])) };
  }

  /** Only the required fields of a record. */
  requiredOnly(fields: RecordFields = this.table.whole): RecordFields {
    return Object.fromEntries(this.table.required.map((name) => [name, fields[name]]));
  }

  /** The `n`th of many records with different keys. */
  nth(n: number): RecordFields {
    return { ...this.table.whole, ...this.table.nth(n) };
  }

  /** The audit rows of this table, oldest first. */
  async auditRows(): Promise<AuditRow[]> {
    const rows = await this.service.database.rows<AuditRow>(
      'SELECT account_id, request_id, record_id, action, `before`, `after` FROM audit_log WHERE table_name = ? ORDER BY id',
      [this.table.table],
    );
    return rows.map(({ before, after, ...row }) => ({
      ...row,
      before: JSON.parse((before as string | null) ?? 'null') as unknown,
      after: JSON.parse((after as string | null) ?? 'null') as unknown,
    }));
  }

  async count(): Promise<number> {
    const [row] = await this.service.database.arrays<[number]>(
      `SELECT COUNT(*) FROM ${this.table.table} WHERE id > ?`,
      [this.lastSeed],
    );
    return row![0];
  }

  /** Deletes all records but those that the migrations inserted. */
  async clear(): Promise<void> {
    await this.service.unitOfWork.change(testChange, async (transaction) => {
      for (const table of ['series_period', 'price_serie', 'audit_log', 'idempotency_key'])
        await transaction.execute(`DELETE FROM ${table}`);
      await transaction.execute(`DELETE FROM ${this.table.table} WHERE id > ?`, [this.lastSeed]);
      transaction.markModified('references', 'rates', 'series');
    });
  }

  private get lastSeed(): number {
    return Math.max(0, ...this.table.seeds.map(({ id }) => id as number));
  }

  private send(request: Test, body: object | string, headers: Headers): Test {
    return request.set({ 'Content-Type': 'application/json', ...this.auth, ...headers }).send(body);
  }
}

/** Asserts a response with a record: status, body, content type and the ETag of its version. */
export function expectRecord(response: Response, status: number, record: object, version: number): void {
  expect({ status: response.status, text: response.text }).toEqual({ status, text: JSON.stringify(record) });
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(response.headers.etag).toBe(`"${version}"`);
}
