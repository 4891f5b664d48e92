import {
  assertCurrent,
  secondsAhead,
  type TokenClaims,
  TokenRejected,
  validateClaims,
} from './token-claims.js';

const NOW = Date.UTC(2026, 0, 1);
const claims = {
  sub: '7',
  sid: 'session',
  jti: 'token',
  iat: NOW / 1000 - 60,
  exp: NOW / 1000 + 60,
  token_type: 'access',
};

describe('A2: validateClaims', () => {
  it('returns the claims of a valid token', () => {
    expect(validateClaims(claims, 'access', NOW)).toMatchObject(claims);
    expect(validateClaims({ ...claims, nbf: NOW / 1000 - 60 }, 'access', NOW)).toMatchObject(claims);
  });

  const rejectionOf = (run: () => unknown) => {
    try {
      run();
      return null;
    } catch (error) {
      return error instanceof TokenRejected ? error.message : String(error);
    }
  };
  const seconds = NOW / 1000;

  it('lets tokens begin two minutes later, as clocks of instances differ, and end five seconds ago', () => {
    const rejection = (times: object) =>
      rejectionOf(() => validateClaims({ ...claims, exp: seconds + 600, ...times }, 'access', NOW));
    expect([rejection({ exp: seconds - 4.999 }), rejection({ exp: seconds - 5 })]).toEqual([null, 'expired']);
    expect([rejection({ iat: seconds + 120 }), rejection({ iat: seconds + 120.001 })]).toEqual([
      null,
      'issued in the future',
    ]);
    expect([rejection({ nbf: seconds + 120 }), rejection({ nbf: seconds + 120.001 })]).toEqual([
      null,
      'not yet valid',
    ]);
  });

  it('lets the clock of another issuer differ by five seconds', () => {
    const rejection = (times: object) => rejectionOf(() => assertCurrent({ ...claims, ...times }, NOW));
    expect([rejection({ exp: seconds - 4.999 }), rejection({ exp: seconds - 5 })]).toEqual([null, 'expired']);
    expect([rejection({ iat: seconds + 5 }), rejection({ iat: seconds + 5.001 })]).toEqual([
      null,
      'issued in the future',
    ]);
    expect([rejection({ nbf: seconds + 5 }), rejection({ nbf: seconds + 5.001 })]).toEqual([
      null,
      'not yet valid',
    ]);
  });

  it.each([
    [5, 0],
    [5.2, 5],
    [90, 90],
  ])('of a token that was issued %s seconds from now, says that its issuer is %s ahead', (later, ahead) =>
    expect(secondsAhead({ ...claims, iat: seconds + later } as TokenClaims, NOW)).toBe(ahead),
  );

  it('accepts account ids of up to ten digits', () => {
    for (const sub of ['12', '2147483647'])
      expect(validateClaims({ ...claims, sub }, 'access', NOW).sub).toBe(sub);
  });

  it.each([
    ['a string', 'claims'],
    ['undefined', undefined],
    ['null', null],
    ['another type', { ...claims, token_type: 'refresh' }],
    ['no sub', { ...claims, sub: undefined }],
    ['a sub that is a number', { ...claims, sub: 7 }],
    ['a sub that is not an account id', { ...claims, sub: '07' }],
    ['a sub of more than digits', { ...claims, sub: '7 OR 1' }],
    ['a sub of eleven digits', { ...claims, sub: '12345678901' }],
    ['a sid that is not a string', { ...claims, sid: 5 }],
    ['a null jti', { ...claims, jti: null }],
    ['no iat', { ...claims, iat: undefined }],
    ['an exp that is not a time', { ...claims, exp: 'tomorrow' }],
    ['an exp as text', { ...claims, exp: String(claims.exp) }],
    ['an exp without end', { ...claims, exp: Infinity }],
    ['an iat as text', { ...claims, iat: String(claims.iat), nbf: claims.iat }],
    ['an iat without beginning', { ...claims, iat: -Infinity, nbf: claims.iat }],
    ['an nbf as text', { ...claims, nbf: String(claims.iat) }],
    ['an nbf that is not a time', { ...claims, nbf: 'now' }],
    ['an exp in the past', { ...claims, exp: NOW / 1000 - 60 }],
    ['an iat in the future', { ...claims, iat: NOW / 1000 + 200 }],
    ['an nbf in the future', { ...claims, nbf: NOW / 1000 + 200 }],
  ])('rejects %s', (_, payload) => {
    expect(() => validateClaims(payload, 'access', NOW)).toThrow(TokenRejected);
  });
});
