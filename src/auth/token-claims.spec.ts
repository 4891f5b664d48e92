import { checkedClaims } from './token-claims.js';

const NOW = Date.UTC(2026, 0, 1);
const claims = {
  sub: '7',
  sid: 'session',
  jti: 'token',
  iat: NOW / 1000 - 60,
  exp: NOW / 1000 + 60,
  token_type: 'access',
};

describe('A2: the claims of a token', () => {
  it('are what it says, where all of it is right', () => {
    expect(checkedClaims(claims, 'access', NOW)).toMatchObject(claims);
    expect(checkedClaims({ ...claims, nbf: NOW / 1000 - 60 }, 'access', NOW)).toMatchObject(claims);
  });

  it.each([
    ['a text', 'claims'],
    ['nothing', null],
    ['another type', { ...claims, token_type: 'refresh' }],
    ['no account', { ...claims, sub: undefined }],
    ['an account that is no number', { ...claims, sub: '07' }],
    ['no session', { ...claims, sid: 5 }],
    ['no id', { ...claims, jti: null }],
    ['no beginning', { ...claims, iat: undefined }],
    ['no end', { ...claims, exp: 'tomorrow' }],
    ['a beginning of use that is no time', { ...claims, nbf: 'now' }],
    ['an end that is past', { ...claims, exp: NOW / 1000 - 60 }],
    ['a beginning that is to come', { ...claims, iat: NOW / 1000 + 60 }],
    ['a beginning of use that is to come', { ...claims, nbf: NOW / 1000 + 60 }],
  ])('are of no use with %s', (_, payload) => {
    expect(checkedClaims(payload, 'access', NOW)).toBeNull();
  });
});
