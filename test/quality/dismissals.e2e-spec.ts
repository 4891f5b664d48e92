import { expectProblem, fieldViolation } from '../support/problems.js';
import { storeSeries } from '../support/price-fixture.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const UUID = '11111111-0000-4000-8000-000000000001';
const MONTHS = ['01', '02', '03', '04', '05', '06', '07'].map((month) => `2024-${month}-01`);
const SPIKE = '/api/v1/Finding/1/';

interface Finding {
  state: string;
  reason: string;
  ratio: number;
  change_set_id: number;
}

describe('dismissed findings', () => {
  let service: TestApp;
  let admin: { Authorization: string };
  beforeEach(async () => {
    service = await startTestApp();
    admin = await service.authHeader();
    await storeSeries(service.unitOfWork, [
      {
        uuid: UUID,
        points: { monthly: MONTHS.map((date) => [date, date === '2024-04-01' ? 3600 : 360]) },
      },
    ]);
  });
  afterEach(() => service?.close());

  const patch = (body: object, address = SPIKE) => service.http().patch(address).set(admin).send(body);
  const dismiss = (reason = 'The harvest failed.') => patch({ state: 'dismissed', reason }).expect(200);
  const read = async () => (await service.http().get(SPIKE).expect(200)).body as Finding;
  const brief = async () => {
    const { state, reason, ratio } = await read();
    return `${state} ${reason || '-'} ${ratio}`;
  };
  const correct = (date: string, price_value: number | null) =>
    service
      .http()
      .post('/api/v1/Correction/')
      .set(admin)
      .send([{ uuid: UUID, periodicity: 'monthly', date, price_value }])
      .expect(200);
  const listOf = async (path: string) =>
    (
      (await service.http().get(`/api/v1/${path}`).set(admin).expect(200)).body as {
        results: Record<string, unknown>[];
      }
    ).results;

  it('answer as they are read, as a change set of kind record that is audited', async () => {
    const before = await read();
    const { body, headers } = await dismiss();
    expect(body).toEqual({ ...before, state: 'dismissed', reason: 'The harvest failed.' });
    const again = await service.http().get(SPIKE).expect(200);
    expect(again.body).toEqual(body);
    expect(again.headers.etag).toBe(headers.etag);
    const [changeSet] = await listOf('ChangeSet/');
    expect(changeSet).toMatchObject({ kind: 'record', state: 'done', reason: 'The harvest failed.' });
    expect(again.headers['data-revision']).toBe(String(changeSet!.first_revision));
    const [entry] = await listOf('AuditLog/');
    expect(entry).toMatchObject({
      table: 'finding',
      record_id: 1,
      action: 'update',
      username: 'admin',
      before: { state: 'open', reason: '' },
      after: { state: 'dismissed', reason: 'The harvest failed.' },
      change_set_id: changeSet!.id,
    });
  });

  it('say why the data were changed in the words of the parameter, if it is sent', async () => {
    await patch({ state: 'dismissed', reason: 'A true price.' }, `${SPIKE}?reason=Review%20of%20May`);
    expect((await read()).reason).toBe('A true price.');
    expect((await listOf('ChangeSet/'))[0]).toMatchObject({ reason: 'Review of May' });
  });

  it('change nothing when they are dismissed again for the same reason', async () => {
    await dismiss();
    const revision = service.revision.current()!.all;
    const sets = await listOf('ChangeSet/');
    await dismiss();
    expect(await listOf('ChangeSet/')).toEqual(sets);
    expect(service.revision.current()!.all).toBe(revision);
    await dismiss('The road was closed.');
    expect(await brief()).toBe('dismissed The road was closed. 10');
    expect(await listOf('ChangeSet/')).toHaveLength(sets.length + 1);
  });

  it('stay so while members and values are the same', async () => {
    await dismiss();
    await correct('2024-03-01', 400);
    await correct('2024-02-01', 400);
    await correct('2024-05-01', 400);
    expect(await brief()).toBe('dismissed The harvest failed. 9.47368421052632');
  });

  it('open again with another value, without the reason', async () => {
    await dismiss();
    await correct('2024-04-01', 4000);
    expect(await brief()).toBe('open - 11.1111111111111');
  });

  it('open again by hand', async () => {
    await dismiss();
    const { body } = await patch({ state: 'open' }).expect(200);
    expect(body).toMatchObject({ state: 'open', reason: '' });
    const [changeSet] = await listOf('ChangeSet/');
    expect((await read()).change_set_id).toBe(changeSet!.id);
    expect(await listOf('Changes/')).toEqual(expect.any(Array));
  });

  it('cannot be made of those that are no longer there', async () => {
    await correct('2024-04-01', 360);
    expectProblem(await patch({ state: 'dismissed', reason: 'Wrong.' }), {
      status: 409,
      code: 'ended',
      errors: [{ in: 'path', name: 'id', code: 'ended' }],
    });
    expectProblem(await patch({ state: 'open' }), {
      status: 409,
      code: 'ended',
      errors: [{ in: 'path', name: 'id', code: 'ended' }],
    });
    expect(await brief()).toBe('corrected - 10');
  });

  it('need a reason of at most 500 characters, which open findings do not have', async () => {
    const invalid = async (body: object, ...codes: [string, string][]) =>
      expectProblem(await patch(body), {
        status: 400,
        code: 'invalid',
        errors: codes.map(([name, code]) => fieldViolation(name, code)),
      });
    await invalid({}, ['state', 'required']);
    await invalid({ state: 'gone' }, ['state', 'invalid_choice']);
    await invalid({ state: 'dismissed' }, ['reason', 'required']);
    await invalid({ state: 'dismissed', reason: '  ' }, ['reason', 'required']);
    await invalid({ state: 'dismissed', reason: 'é'.repeat(501) }, ['reason', 'too_long']);
    await invalid({ state: 'open', reason: 'Because.' }, ['reason', 'read_only']);
    await invalid({ state: 'open', rule: 'spike' }, ['rule', 'unknown_field']);
    await dismiss('é'.repeat(500));
    expect((await read()).reason).toBe('é'.repeat(500));
  });

  it('are written with a token, at the address of a finding, in the version that was read', async () => {
    const body = { state: 'dismissed', reason: 'A true price.' };
    expectProblem(await service.http().patch(SPIKE).send(body), { status: 401, code: 'not_authenticated' });
    for (const id of ['99', '0', 'x', '1.5']) {
      expectProblem(await patch(body, `/api/v1/Finding/${id}/`), { status: 404, code: 'not_found' });
      expectProblem(await service.http().get(`/api/v1/Finding/${id}/`), { status: 404, code: 'not_found' });
    }
    const { headers } = await service.http().get(SPIKE);
    const tag = headers.etag!;
    await patch(body).set('If-Match', tag).expect(200);
    expectProblem(await patch({ state: 'open' }).set('If-Match', tag), {
      status: 412,
      code: 'precondition_failed',
    });
    expect((await read()).state).toBe('dismissed');
  });
});
