import type { Variables } from '../../src/config/environment.js';
import type { TestApp } from './test-app.js';

const username = 'admin';
const password = 'tundra lamp 47 orchid';

/** Settings that give the first account, an admin, a known password. */
export const firstAccount: Variables = { ADMIN_USERNAME: username, ADMIN_PASSWORD: password };

/** Logs the first account in. @returns the header that shows it */
export async function signIn(service: TestApp): Promise<{ Authorization: string }> {
  const { body } = await service.http().post('/api/auth/login/').send({ username, password }).expect(200);
  return { Authorization: `Bearer ${body.access as string}` };
}
