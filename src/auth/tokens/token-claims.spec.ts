import { validateClaims } from './token-claims.js';

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

  it.each([
    ['a string', 'claims'],
    ['null', null],
    ['another type', { ...claims, token_type: 'refresh' }],
    ['no sub', { ...claims, sub: undefined }],
    ['a sub that is not an account id', { ...claims, sub: '07' }],
    ['a sid that is not a string', { ...claims, sid: 5 }],
    ['a null jti', { ...claims, jti: null }],
    ['no iat', { ...claims, iat: undefined }],
    ['an exp that is not a time', { ...claims, exp: 'tomorrow' }],
    ['an nbf that is not a time', { ...claims, nbf: 'now' }],
    ['an exp in the past', { ...claims, exp: NOW / 1000 - 60 }],
    ['an iat in the future', { ...claims, iat: NOW / 1000 + 60 }],
    ['an nbf in the future', { ...claims, nbf: NOW / 1000 + 60 }],
  ])('returns null for %s', (_, payload) => {
    expect(validateClaims(payload, 'access', NOW)).toBeNull();
  });
});
