import type { Test } from 'supertest';
import { closeAuthApps, startAuthApp, type AuthApp } from './auth-app.js';

afterEach(closeAuthApps);

const RECORD = '/api/v1/PriceType/11/';

/** Status, code and rate limit of a reply, without the seconds that are left. */
async function outcome(request: Test): Promise<[number, string | undefined, string | undefined]> {
  const { status, body, headers } = await request;
  const { code } = body as { code?: string };
  return [status, code, headers.ratelimit?.replace(/;t=\d+$/, '')];
}

const bearer = (access: string) => ({ Authorization: `Bearer ${access}` });

describe('R3, G4: throttling of writes', () => {
  let service: AuthApp;
  beforeEach(async () => {
    service = await startAuthApp({ THROTTLE_WRITES: '3', THROTTLE_UNAUTHENTICATED: '2' });
  });
  const change = (access: string) => service.http().patch(RECORD).set(bearer(access)).send({});
  const anonymous = () => service.http().delete(RECORD);

  it('counts writes without a valid token by address, and never for an account', async () => {
    const { access } = await service.login();
    expect(await outcome(anonymous())).toEqual([401, 'not_authenticated', '"unauthenticated";r=1']);
    expect(await outcome(change('x.y.z'))).toEqual([401, 'token_not_valid', '"unauthenticated";r=0']);
    expect(await outcome(anonymous())).toEqual([429, 'throttled', '"unauthenticated";r=0']);
    expect(await outcome(change('x.y.z'))).toEqual([429, 'throttled', '"unauthenticated";r=0']);
    expect(await outcome(change(access))).toEqual([200, undefined, '"write";r=2']);
    const { headers, body } = await anonymous();
    const wait = Number(headers['retry-after']);
    expect([59, 60]).toContain(wait);
    expect(headers).toMatchObject({
      'ratelimit-policy': '"unauthenticated";q=2;w=60',
      'cache-control': 'no-store',
    });
    expect(headers['www-authenticate']).toBeUndefined();
    expect(body).toEqual({
      type: '/problems/throttled',
      title: 'Too many requests',
      status: 429,
      code: 'throttled',
      detail: `Too many requests. Try again in ${wait} seconds.`,
      instance: expect.stringMatching(/^urn:uuid:/),
    });
  });

  it('counts the writes of an account across its tokens, apart from other accounts', async () => {
    const maintainer = await service.addAccount('maintainer');
    const [first, second, other] = [
      await service.login(maintainer),
      await service.login(maintainer),
      await service.login(),
    ];
    expect(await outcome(change(first.access))).toEqual([200, undefined, '"write";r=2']);
    expect(await outcome(change(second.access))).toEqual([200, undefined, '"write";r=1']);
    expect(await outcome(change(first.access).send({ unknown: 1 }))).toEqual([400, 'invalid', '"write";r=0']);
    // Before the body is looked at.
    expect(await outcome(change(second.access).send({ unknown: 1 }))).toEqual([
      429,
      'throttled',
      '"write";r=0',
    ]);
    expect(await outcome(change(other.access))).toEqual([200, undefined, '"write";r=2']);
    expect(await outcome(anonymous())).toEqual([401, 'not_authenticated', '"unauthenticated";r=1']);
  });

  it('does not count the writes of an account whose session has ended', async () => {
    const { access, refresh } = await service.login();
    await service.http().post('/api/auth/logout/').send({ refresh }).expect(204);
    // The logout has counted, too.
    expect(await outcome(change(access))).toEqual([401, 'token_not_valid', '"unauthenticated";r=0']);
    const again = await service.login();
    expect(await outcome(change(again.access))).toEqual([200, undefined, '"write";r=2']);
  });

  it('leaves reads, login and protected reads to their own limits', async () => {
    for (let times = 0; times < 3; times++) {
      expect(await outcome(service.http().get('/api/auth/me/'))).toEqual([
        401,
        'not_authenticated',
        undefined,
      ]);
    }
    expect(await outcome(service.http().get(RECORD))).toEqual([200, undefined, undefined]);
    expect(await outcome(anonymous())).toEqual([401, 'not_authenticated', '"unauthenticated";r=1']);
  });

  it('G4: comes after 406, and before what is wrong with the body', async () => {
    const badBody = (request: Test) => request.set('Content-Type', 'text/plain').send('{');
    const { access } = await service.login();
    const unacceptable = () => anonymous().set('Accept', 'image/png');
    expect(await outcome(unacceptable())).toEqual([406, 'not_acceptable', undefined]);
    for (let times = 0; times < 2; times++) await anonymous();
    expect(await outcome(unacceptable())).toEqual([406, 'not_acceptable', undefined]);
    expect(await outcome(badBody(change('x.y.z')))).toEqual([429, 'throttled', '"unauthenticated";r=0']);
    for (let times = 0; times < 3; times++) await change(access);
    expect(await outcome(badBody(change(access)))).toEqual([429, 'throttled', '"write";r=0']);
  });

  it('is off outside production unless a limit is set', async () => {
    const unlimited = await startAuthApp();
    const { access } = await unlimited.login();
    const patch = unlimited.http().patch(RECORD).set(bearer(access)).send({});
    expect(await outcome(patch)).toEqual([200, undefined, undefined]);
    expect(await outcome(unlimited.http().delete(RECORD))).toEqual([401, 'not_authenticated', undefined]);
  });
});
