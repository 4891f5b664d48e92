import { request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Accounts } from '../../src/auth/accounts/accounts.js';
import {
  SecurityLog,
  type SecurityEvent,
  type SecurityEventAttributes,
} from '../../src/auth/security-log.js';
import type { TokenPair } from '../../src/auth/tokens/tokens.js';
import type { Role } from '../../src/platform/http/routes.js';
import { Environment, type Variables } from '../../src/config/environment.js';
import { startTestApp, testAdmin, type TestApp } from '../support/test-app.js';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A valid password other than the admin's. */
export const otherPassword = 'granite 93 harbour owl';

/** The service with helpers for tests of logins and tokens. */
export interface AuthApp extends TestApp {
  databaseUrl: string;
  accounts: Accounts;
  /** The security events so far, oldest first. */
  events: [SecurityEvent, SecurityEventAttributes][];
  login(account?: { username: string; password: string }): Promise<TokenPair>;
  refresh(token: string): Promise<{ status: number; body: TokenPair & { code?: string } }>;
  /** Creates an account with `otherPassword`. */
  addAccount(username: string, role?: Role): Promise<{ username: string; password: string }>;
  /** The status of a write with an access token. It changes nothing. */
  write(access: string): Promise<number>;
  /** Sends a request with exactly these header lines. */
  raw(method: string, path: string, headers: [string, string][], body?: string): Promise<RawReply>;
}

export interface RawReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
}

const started: TestApp[] = [];

/** Closes all started services, the newest first: later ones may use the database of the first. */
export async function closeAuthApps(): Promise<void> {
  for (const service of started.splice(0).reverse()) await service.close();
}

/** Starts the service on a new database, or on the one of `DATABASE_URL`. */
export async function startAuthApp(variables: Variables = {}): Promise<AuthApp> {
  const service = await startTestApp(variables);
  started.push(service);
  const events: AuthApp['events'] = [];
  const log = service.app.get(SecurityLog, { strict: false });
  log.write = (event, attributes) => void events.push([event, attributes]);
  const accounts = service.app.get(Accounts, { strict: false });
  const post = (path: string, body: object) => service.http().post(path).send(body);
  return {
    ...service,
    databaseUrl: service.app.get(Environment).databaseUrl,
    accounts,
    events,
    login: async (account = testAdmin) =>
      (await post('/api/auth/login/', account).expect(200)).body as TokenPair,
    refresh: async (refresh) => {
      const { status, body } = await post('/api/auth/refresh/', { refresh });
      return { status, body: body as TokenPair };
    },
    addAccount: async (username, role = 'maintainer') => {
      await accounts.create(username, otherPassword, role);
      return { username, password: otherPassword };
    },
    write: async (access) => {
      const patch = service.http().patch('/api/v1/PriceType/11/').set('Authorization', `Bearer ${access}`);
      return (await patch.send({})).status;
    },
    raw: (method, path, headers, body) => sendRaw(service, method, path, headers, body),
  };
}

function sendRaw(
  service: TestApp,
  method: string,
  path: string,
  headers: [string, string][],
  body?: string,
): Promise<RawReply> {
  const { port } = service.app.getHttpServer().address() as AddressInfo;
  const lines = [...headers, ['Host', `127.0.0.1:${port}`], ['Connection', 'close']];
  if (body !== undefined) lines.push(['Content-Length', String(Buffer.byteLength(body))]);
  return new Promise((resolve, reject) => {
    const request = send({ host: '127.0.0.1', port, method, path, headers: lines.flat() }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: response.statusCode!,
          headers: response.headers,
          body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
        });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}
