import { commonPasswords, isCommonPassword, passwordViolation } from './password-rules.js';

describe('A12: passwords', () => {
  it('are checked against a list of at least 3000, including the most common ones', async () => {
    const common = await commonPasswords();
    expect(common.size).toBeGreaterThanOrEqual(3000);
    const mostCommon = [
      '123456',
      'password',
      'qwerty',
      'letmein',
      'iloveyou',
      '1qaz2wsx3edc',
      'administrator',
    ];
    expect(mostCommon.filter((password) => !common.has(password))).toEqual([]);
  });

  it.each([
    '123456789012',
    '012345678901234',
    '987654321098',
    'abcdefghijklm',
    'qwertyuiopas',
    'zxcvbnmqwertyuiop',
    'aaaaaaaaaaaa',
    'abcabcabcabca',
    '121212121212',
    'password1234',
    'Password1234!',
    'P@ssw0rd2024',
    'Pa55word!!!!',
    'passwordpassword',
    'qwertyqwerty',
    'qwerty123456',
    '123456qwerty',
    '1q2w3e4r5t6y',
    '1qaz2wsx3edc4rfv',
    'qazwsxedcrfv',
    'administrator',
    'Administrator1',
    'letmein12345',
    'iloveyou1234',
    'welcome12345',
    '!!!!Sunshine1999',
    'unbelievable',
    'leavemealone',
    'supernatural',
    'changeme1234',
    'master123456',
    'dragon123456',
    'football2024!',
  ])('are rejected when common: %s', async (password) => {
    expect(await isCommonPassword(password)).toBe(true);
  });

  it.each([
    'correct horse battery staple',
    'tundra lamp 47 orchid',
    'kV8#qLm2!xTz',
    'Яблоко на столе',
    'מחיר הלחם עלה',
    '\u0000\u0001 lamp orchid',
    'maize-price-in-lilongwe',
    '   blanks around   ',
  ])('are accepted: %j', async (password) => {
    expect(await passwordViolation(password, 'anna')).toBeNull();
  });

  it.each([
    ['', 'must be at least 12 characters long.'],
    ['kV8#qLm2!xT', 'must be at least 12 characters long.'],
    ['пароли', 'null'],
    ['x7'.repeat(512) + 'y', 'must be at most 1024 bytes long.'],
    ['            ', 'must not be blank.'],
    ['my name is Anna!', 'must not contain the user name.'],
    ['Password1234', 'is too common: it is among the first that an attacker would try.'],
  ])('%j: %s', async (password, violation) => {
    expect(String(await passwordViolation(password, 'anna'))).toBe(violation);
  });
});
