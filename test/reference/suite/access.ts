import { expectProblem } from '../../support/problems.js';
import type { ReferenceTableCase } from '../reference-tables.js';
import { type Headers, expectRecord, type TableClient } from '../table-client.js';

/** An id that no record has. */
const ABSENT = 2147483647;

/** Tests of every reference table: access. */
export function accessTests(table: ReferenceTableCase, current: () => TableClient): void {
  const { whole } = table;
  let client: TableClient;
  beforeEach(() => void (client = current()));

  it('allows reads with any or no token, and writes only with a valid one', async () => {
    const id = await client.create();
    const { service, path } = client;
    const http = service.http();
    for (const auth of [{}, { Authorization: 'Bearer nonsense' }]) {
      await http
        .get(path)
        .set(auth as Headers)
        .expect(200);
      await http
        .get(`${path}${id}/`)
        .set(auth as Headers)
        .expect(200);
      const code = 'Authorization' in auth ? 'token_not_valid' : 'not_authenticated';
      const bodies = ['{"not json', 'x'.repeat(200_000), JSON.stringify(whole)];
      for (const body of bodies) {
        const type = { 'Content-Type': 'application/json', ...auth };
        for (const address of [id, ABSENT, 'abc']) {
          expectProblem(await http.put(`${path}${address}/`).set(type).send(body), { status: 401, code });
          expectProblem(await http.patch(`${path}${address}/`).set(type).send(body), { status: 401, code });
        }
        expectProblem(await http.post(path).set(type).send(body), { status: 401, code });
      }
      expectProblem(await http.delete(`${path}${id}/`).set(auth as Headers), { status: 401, code });
      expectProblem(await http.delete(`${path}${ABSENT}/`).set(auth as Headers), { status: 401, code });
    }
    expectRecord(await client.get(id), 200, client.record(id, whole), 1);
    expect(await client.count()).toBe(1);
  });
}
