import { parseOptions } from '@node-rs/argon2';
import { Environment } from '../../config/environment.js';
import { NO_PASSWORD } from './no-password.js';
import { PasswordHasher } from './password-hasher.js';

describe('A9: the hash of an account without a password', () => {
  const hasher = new PasswordHasher(new Environment({}));

  it('takes the work of others, also in earlier releases, which read its parameters', async () => {
    const hash = await hasher.hash('granite 93 harbour owl');
    expect(parseOptions(NO_PASSWORD)).toEqual(parseOptions(hash));
    expect(NO_PASSWORD).toHaveLength(hash.length);
    expect(hasher.isWeak(NO_PASSWORD)).toBe(false);
  });

  it.each(['', 'A'.repeat(43), NO_PASSWORD])('matches no password: %j', async (password) => {
    expect(await hasher.verify(NO_PASSWORD, password)).toBe(false);
  });
});
