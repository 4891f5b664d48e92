import { expectProblem, fieldFault, type ExpectedFault } from '../../support/problems.js';
import { badValues } from '../bad-values.js';
import type { ReferenceTableCase } from '../reference-tables.js';
import { expectRecord, type TableClient } from '../table-client.js';

/** An id that no record has. */
const ABSENT = 2147483647;

/** Tests of every reference table: bad input. */
export function badInput(table: ReferenceTableCase, current: () => TableClient): void {
  const { whole, change, required, nullable } = table;
  const changed = { ...whole, ...change };
  let client: TableClient;
  beforeEach(() => void (client = current()));

  it('B1, B16: knows no record by what is no id, or by an id that nobody has', async () => {
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
      const gone = { status: 404, code: 'not_found' };
      expectProblem(await client.get(`${id}/`), gone);
      expectProblem(await client.put(id, client.prefixed(whole)), gone);
      expectProblem(await client.patch(id, client.prefixed(change)), gone);
      expectProblem(await client.patch(id, {}), gone);
      expectProblem(await client.delete(id), gone);
    }
    expect(await client.count()).toBe(0);
  });

  it('B5: takes JSON, and merge patches for PATCH', async () => {
    const id = await client.make();
    const refused = { status: 415, code: 'unsupported_media_type' };
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
    ]) {
      const post = await client.post(JSON.stringify(client.nth(1)), { 'Content-Type': type });
      expectProblem(post, refused);
      expect(post.headers.accept).toBe('application/json');
    }
    const merge = { 'Content-Type': 'application/merge-patch+json' };
    expectProblem(await client.put(id, JSON.stringify(whole), merge), refused);
    expectRecord(await client.patch(id, JSON.stringify(change), merge), 200, client.record(id, changed), 2);
  });

  it('B7, B8: takes a JSON object and nothing else, however deep', async () => {
    const id = await client.make();
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
    const whole_ = [{ in: 'body', pointer: '', code: 'invalid_type' }];
    for (const text of ['[]', '"text"', '5', 'null', 'true', '[{}]', deep]) {
      for (const response of [
        await client.post(text),
        await client.put(id, text),
        await client.patch(id, text),
      ])
        expectProblem(response, { status: 400, code: 'invalid', errors: whole_ });
    }
    const errors = [fieldFault(required[0]!, 'invalid_type')];
    expectProblem(await client.patch(id, nested), { status: 400, code: 'invalid', errors });
  });

  it('B9: knows its fields, and no name is special', async () => {
    const id = await client.make();
    const strange = [
      'colour',
      '__proto__',
      'constructor',
      'prototype',
      'version',
      'toString',
      `${table.table}_`,
    ];
    for (const name of strange) {
      const text = `{"${name}":{"x":1},${JSON.stringify(client.nth(2)).slice(1)}`;
      const errors = [fieldFault(name, 'unknown_field')];
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
      errors: [{ ...fieldFault(`${required[0]}s`, 'unknown_field'), suggestion: required[0] }],
    });
  });

  it('B10: refuses a field that is given twice with different values', async () => {
    const id = await client.make();
    for (const name of Object.keys(whole)) {
      const write = `${table.table}_${name}`;
      const body = { ...client.prefixed(whole), [name]: client.nth(3)[name] };
      if (body[name] === body[write]) body[name] = changed[name] === whole[name] ? null : changed[name];
      const errors = [fieldFault(write, 'conflicting_fields'), fieldFault(name, 'conflicting_fields')];
      for (const response of [
        await client.post(body),
        await client.put(id, body),
        await client.patch(id, body),
      ])
        expectProblem(response, { status: 400, code: 'invalid', errors });
    }
  });

  it('B11: takes no id on POST, and only that of the address on PUT and PATCH', async () => {
    const id = await client.make();
    for (const name of ['id', `${table.table}_id`]) {
      for (const value of [id, 999, 'x', null]) {
        const errors = [fieldFault(name, 'read_only')];
        expectProblem(await client.post({ ...client.nth(4), [name]: value }), {
          status: 400,
          code: 'invalid',
          errors,
        });
      }
      const errors = [fieldFault(name, 'id_mismatch')];
      const mismatch = { status: 400, code: 'invalid', errors };
      expectProblem(await client.put(id, { ...client.prefixed(whole), [name]: id + 1 }), mismatch);
      expectProblem(await client.patch(id, { [name]: id + 1 }), mismatch);
      expectProblem(await client.patch(ABSENT, { [name]: id }), mismatch);
      expectProblem(await client.patch(id, { [name]: String(id) }), {
        status: 400,
        code: 'invalid',
        errors: [fieldFault(name, 'invalid_type')],
      });
    }
    expectRecord(await client.get(id), 200, client.record(id, whole), 1);
  });

  it('B13: needs every required field on POST and PUT, and takes null only where there may be none', async () => {
    const id = await client.make();
    for (const name of required) {
      const rest = { ...client.nth(5), [name]: undefined };
      const errors = [fieldFault(`${table.table}_${name}`, 'required')];
      expectProblem(await client.post(rest), { status: 400, code: 'invalid', errors });
      expectProblem(await client.put(id, rest), { status: 400, code: 'invalid', errors });
    }
    for (const name of Object.keys(whole).filter((field) => !nullable.includes(field))) {
      const body = { ...client.nth(5), [name]: null };
      const errors = [fieldFault(name, 'null')];
      expectProblem(await client.post(body), { status: 400, code: 'invalid', errors });
      expectProblem(await client.put(id, body), { status: 400, code: 'invalid', errors });
      expectProblem(await client.patch(id, { [name]: null }), { status: 400, code: 'invalid', errors });
    }
  });

  it.each(Object.entries(table.fields))(
    'B8, B12, B14, B15: refuses bad values of %s',
    async (name, field) => {
      const id = await client.make();
      const others = JSON.stringify(client.least(client.nth(6))).slice(1);
      for (const [value, code] of badValues(field)) {
        for (const sentAs of [name, `${table.table}_${name}`]) {
          const errors = [fieldFault(sentAs, code)];
          // A later member of the same name replaces an earlier one, and both names would be a conflict.
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

  it('G2: tells all faults at once, and those of the headers with them', async () => {
    const [name] = required;
    const body = { [name!]: [], id: 5, colour: 'red' };
    const errors: ExpectedFault[] = [
      fieldFault(name!, 'invalid_type'),
      fieldFault('id', 'read_only'),
      fieldFault('colour', 'unknown_field'),
      ...required.slice(1).map((field) => fieldFault(`${table.table}_${field}`, 'required')),
      { in: 'header', name: 'Idempotency-Key', code: 'invalid_format' },
    ];
    const response = await client.post(body, { 'Idempotency-Key': 'not visible' });
    expectProblem(response, { status: 400, code: 'invalid', errors });
  });

  it('G4: looks at values before records, and at records before preconditions', async () => {
    const id = await client.make();
    const stale = { 'If-Match': '"77"' };
    expectProblem(await client.put(ABSENT, { colour: 1 }, stale), { status: 400, code: 'invalid' });
    expectProblem(await client.put('abc', { colour: 1 }, stale), { status: 400, code: 'invalid' });
    expectProblem(await client.put(ABSENT, whole, stale), { status: 404, code: 'not_found' });
    expectProblem(await client.delete(ABSENT, stale), { status: 404, code: 'not_found' });
    expectProblem(await client.put(id, { colour: 1 }, stale), { status: 400, code: 'invalid' });
    await client.make(client.nth(1));
    expectProblem(await client.put(id, client.nth(1), stale), { status: 412, code: 'precondition_failed' });
    expectProblem(await client.put(id, client.nth(1)), {
      status: 409,
      code: 'duplicate',
      extra: { existing: expect.any(String) },
    });
  });

  it('B17: takes no parameters where there are none, and no override of the method', async () => {
    const id = await client.make();
    for (const query of ['?access_token=x', '?page=1', '?format=csv']) {
      const response = await client.get(`${id}/${query}`);
      expect([query, response.status]).toEqual([query, 400]);
    }
    const override = await client.get(id, { 'X-HTTP-Method-Override': 'DELETE' });
    expectRecord(override, 200, client.record(id, whole), 1);
  });
}
