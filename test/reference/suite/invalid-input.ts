import { expectProblem, fieldViolation, type ExpectedViolation } from '../../support/problems.js';
import { invalidValues } from '../invalid-values.js';
import type { ReferenceTableCase } from '../reference-tables.js';
import { expectRecord, type TableClient } from '../table-client.js';

/** An id that no record has. */
const ABSENT = 2147483647;

/** Tests of every reference table: invalid input. */
export function invalidInputTests(table: ReferenceTableCase, current: () => TableClient): void {
  const { whole, change, required, nullable } = table;
  const changed = { ...whole, ...change };
  let client: TableClient;
  beforeEach(() => void (client = current()));

  it('B1, B16: returns 404 for malformed and nonexistent ids', async () => {
    const ids = [
      'abc',
      '0',
      '-0',
      '-1',
      '01',
      '1.0',
      '1e3',
      '2147483648',
      '99999999999999999999',
      '%31x',
      ABSENT,
    ];
    for (const id of ids) {
      const notFound = { status: 404, code: 'not_found' };
      expectProblem(await client.get(`${id}/`), notFound);
      expectProblem(await client.put(id, client.prefixed(whole)), notFound);
      expectProblem(await client.patch(id, client.prefixed(change)), notFound);
      expectProblem(await client.patch(id, {}), notFound);
      expectProblem(await client.delete(id), notFound);
    }
    expect(await client.count()).toBe(0);
  });

  it('B5: accepts JSON, and merge patches for PATCH', async () => {
    const id = await client.create();
    const unsupported = { status: 415, code: 'unsupported_media_type' };
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
    ]) {
      const post = await client.post(JSON.stringify(client.nth(1)), { 'Content-Type': type });
      expectProblem(post, unsupported);
      expect(post.headers.accept).toBe('application/json');
    }
    const merge = { 'Content-Type': 'application/merge-patch+json' };
    expectProblem(await client.put(id, JSON.stringify(whole), merge), unsupported);
    expectRecord(await client.patch(id, JSON.stringify(change), merge), 200, client.record(id, changed), 2);
  });

  it('B7, B8: accepts only JSON objects, and rejects nesting of any depth', async () => {
    const id = await client.create();
    const deep = `${'['.repeat(14_000)}${']'.repeat(14_000)}`;
    const nested = `{"${required[0]}":${deep}}`;
    for (const text of ['', '{', '{"a":1,}', "{'a':1}", '{"a":NaN}', '[1', 'nothing']) {
      for (const response of [
        await client.post(text),
        await client.put(id, text),
        await client.patch(id, text),
      ])
        expectProblem(response, { status: 400, code: 'parse_error' });
    }
    const wrongType = [{ in: 'body', pointer: '', code: 'invalid_type' }];
    for (const text of ['[]', '"text"', '5', 'null', 'true', '[{}]', deep]) {
      for (const response of [
        await client.post(text),
        await client.put(id, text),
        await client.patch(id, text),
      ])
        expectProblem(response, { status: 400, code: 'invalid', errors: wrongType });
    }
    const errors = [fieldViolation(required[0]!, 'invalid_type')];
    expectProblem(await client.patch(id, nested), { status: 400, code: 'invalid', errors });
  });

  it('B9: rejects unknown fields, including names that are special in JavaScript', async () => {
    const id = await client.create();
    const unknownNames = [
      'colour',
      '__proto__',
      'constructor',
      'prototype',
      'version',
      'toString',
      `${table.table}_`,
    ];
    for (const name of unknownNames) {
      const text = `{"${name}":{"x":1},${JSON.stringify(client.nth(2)).slice(1)}`;
      const errors = [fieldViolation(name, 'unknown_field')];
      for (const response of [
        await client.post(text),
        await client.put(id, text),
        await client.patch(id, text),
      ])
        expectProblem(response, { status: 400, code: 'invalid', errors });
    }
    expect(({} as { x?: unknown }).x).toBeUndefined();
    const other = await client.post({ ...client.nth(2), [`${required[0]}s`]: 1 });
    expectProblem(other, {
      status: 400,
      code: 'invalid',
      errors: [{ ...fieldViolation(`${required[0]}s`, 'unknown_field'), suggestion: required[0] }],
    });
  });

  it('B10: rejects a field that is sent twice with different values', async () => {
    const id = await client.create();
    for (const name of Object.keys(whole)) {
      const write = `${table.table}_${name}`;
      const body = { ...client.prefixed(whole), [name]: client.nth(3)[name] };
      if (body[name] === body[write]) body[name] = changed[name] === whole[name] ? null : changed[name];
      const errors = [
        fieldViolation(write, 'conflicting_fields'),
        fieldViolation(name, 'conflicting_fields'),
      ];
      for (const response of [
        await client.post(body),
        await client.put(id, body),
        await client.patch(id, body),
      ])
        expectProblem(response, { status: 400, code: 'invalid', errors });
    }
  });

  it('B10: rejects a body with two members of one name', async () => {
    const id = await client.create();
    const errors = ['id', required[0]!].map((name) => fieldViolation(name, 'duplicate_name'));
    const body = JSON.stringify({ id, ...whole }).slice(1);
    const text = `{"id":${id},"${required[0]}":"x",${body}`;
    for (const response of [
      await client.post(text),
      await client.put(id, text),
      await client.patch(id, text),
    ])
      expectProblem(response, { status: 400, code: 'invalid', errors });
    expectRecord(await client.get(id), 200, client.record(id, whole), 1);
    expect(await client.count()).toBe(1);
  });

  it('B11: rejects ids on POST, and accepts only that of the address on PUT and PATCH', async () => {
    const id = await client.create();
    for (const name of ['id', `${table.table}_id`]) {
      for (const value of [id, 999, 'x', null]) {
        const errors = [fieldViolation(name, 'read_only')];
        expectProblem(await client.post({ ...client.nth(4), [name]: value }), {
          status: 400,
          code: 'invalid',
          errors,
        });
      }
      const errors = [fieldViolation(name, 'id_mismatch')];
      const mismatch = { status: 400, code: 'invalid', errors };
      expectProblem(await client.put(id, { ...client.prefixed(whole), [name]: id + 1 }), mismatch);
      expectProblem(await client.patch(id, { [name]: id + 1 }), mismatch);
      expectProblem(await client.patch(ABSENT, { [name]: id }), mismatch);
      expectProblem(await client.patch(id, { [name]: String(id) }), {
        status: 400,
        code: 'invalid',
        errors: [fieldViolation(name, 'invalid_type')],
      });
    }
    expectRecord(await client.get(id), 200, client.record(id, whole), 1);
  });

  it('B13: requires the required fields on POST and PUT, and accepts null only for nullable fields', async () => {
    const id = await client.create();
    for (const name of required) {
      const rest = { ...client.nth(5), [name]: undefined };
      const errors = [fieldViolation(`${table.table}_${name}`, 'required')];
      expectProblem(await client.post(rest), { status: 400, code: 'invalid', errors });
      expectProblem(await client.put(id, rest), { status: 400, code: 'invalid', errors });
    }
    for (const name of Object.keys(whole).filter((field) => !nullable.includes(field))) {
      const body = { ...client.nth(5), [name]: null };
      const errors = [fieldViolation(name, 'null')];
      expectProblem(await client.post(body), { status: 400, code: 'invalid', errors });
      expectProblem(await client.put(id, body), { status: 400, code: 'invalid', errors });
      expectProblem(await client.patch(id, { [name]: null }), { status: 400, code: 'invalid', errors });
    }
  });

  it.each(Object.entries(table.fields))(
    'B8, B12, B14, B15: rejects invalid values of %s',
    async (name, field) => {
      const id = await client.create();
      const others = JSON.stringify(client.requiredOnly(client.nth(6))).slice(1);
      for (const [value, code] of invalidValues(field)) {
        for (const sentAs of [name, `${table.table}_${name}`]) {
          const errors = [fieldViolation(sentAs, code)];
          // A later member of the same name replaces an earlier one, and both names would be a
          // conflict.
          const rest = others.replace(new RegExp(`"${name}":[^,}]*,?`), '').replace(/,}$/, '}');
          const body = `{"${sentAs}":${value}${rest === '}' ? '}' : `,${rest}`}`;
          for (const response of [
            await client.post(body),
            await client.put(id, body),
            await client.patch(id, `{"${sentAs}":${value}}`),
          ]) {
            expectProblem(response, { status: 400, code: 'invalid', errors });
          }
        }
      }
      expectRecord(await client.get(id), 200, client.record(id, whole), 1);
      expect(await client.count()).toBe(1);
    },
  );

  it('G2: reports all violations at once, including those of headers', async () => {
    const [name] = required;
    const body = { [name!]: [], id: 5, colour: 'red' };
    const errors: ExpectedViolation[] = [
      fieldViolation(name!, 'invalid_type'),
      fieldViolation('id', 'read_only'),
      fieldViolation('colour', 'unknown_field'),
      ...required.slice(1).map((field) => fieldViolation(`${table.table}_${field}`, 'required')),
      { in: 'header', name: 'Idempotency-Key', code: 'invalid_format' },
    ];
    const response = await client.post(body, { 'Idempotency-Key': 'not visible' });
    expectProblem(response, { status: 400, code: 'invalid', errors });
  });

  it('G4: checks values before existence, and existence before preconditions', async () => {
    const id = await client.create();
    const stale = { 'If-Match': '"77"' };
    expectProblem(await client.put(ABSENT, { colour: 1 }, stale), { status: 400, code: 'invalid' });
    expectProblem(await client.put('abc', { colour: 1 }, stale), { status: 400, code: 'invalid' });
    expectProblem(await client.put(ABSENT, whole, stale), { status: 404, code: 'not_found' });
    expectProblem(await client.delete(ABSENT, stale), { status: 404, code: 'not_found' });
    expectProblem(await client.put(id, { colour: 1 }, stale), { status: 400, code: 'invalid' });
    await client.create(client.nth(1));
    expectProblem(await client.put(id, client.nth(1), stale), { status: 412, code: 'precondition_failed' });
    expectProblem(await client.put(id, client.nth(1)), {
      status: 409,
      code: 'duplicate',
      extra: { existing: expect.any(String) },
    });
  });

  it('B17: rejects unknown parameters, and ignores method overrides', async () => {
    const id = await client.create();
    for (const query of ['?access_token=x', '?page=1', '?format=csv']) {
      const response = await client.get(`${id}/${query}`);
      expect([query, response.status]).toEqual([query, 400]);
    }
    const override = await client.get(id, { 'X-HTTP-Method-Override': 'DELETE' });
    expectRecord(override, 200, client.record(id, whole), 1);
  });
}
