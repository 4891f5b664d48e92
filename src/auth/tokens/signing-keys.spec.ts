import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { Environment, InvalidEnvironment } from '../../config/environment.js';
import { SigningKeys } from './signing-keys.js';

describe('SigningKeys', () => {
  let folder: string;
  let warnings: string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pds-keys-'));
    warnings = [];
    jest
      .spyOn(Logger.prototype, 'warn')
      .mockImplementation((text: unknown) => void warnings.push(String(text)));
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  const keys = (variables: Record<string, string> = {}) =>
    new SigningKeys(new Environment({ DATABASE_URL: `sqlite:${folder}/var/prices.sqlite`, ...variables }));
  const file = () => join(folder, 'var', 'prices.sqlite.jwt-secret');
  const tokenOf = (id: unknown) => `${Buffer.from(JSON.stringify({ kid: id })).toString('base64url')}.e30.x`;

  it('A13: generates a random secret if none is set, stores it for the owner only, and warns', () => {
    const first = keys();
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readFileSync(file(), 'utf8')).toMatch(/^[\w-]{43}$/);
    expect(warnings).toEqual([`JWT_SECRET is not set: generated a random one and stored it in ${file()}.`]);
    const second = keys();
    expect(warnings.at(-1)).toBe(`JWT_SECRET is not set: using the one in ${file()}.`);
    expect(second.current.id).toBe(first.current.id);
    expect(second.current.secret.export()).toEqual(Buffer.from(readFileSync(file(), 'utf8')));
    expect(readdirSync(join(folder, 'var'))).toEqual(['prices.sqlite.jwt-secret']);
  });

  it('A13: rejects a damaged secret file, without printing the secret', () => {
    keys();
    writeFileSync(file(), 'too-short');
    expect(() => keys()).toThrow(InvalidEnvironment);
    expect(() => keys()).toThrow(
      `JWT_SECRET is not set, and ${file()} cannot be used instead: it is too short.`,
    );
  });

  it('A13: reads a secret of 32 bytes from the file, without the line break of an editor', () => {
    keys();
    writeFileSync(file(), `${'k'.repeat(32)}\n`);
    expect(keys().current.secret.export().toString()).toBe('k'.repeat(32));
  });

  it('A13: stores the secret in the working directory where the database is a server', () => {
    const before = process.cwd();
    process.chdir(folder);
    try {
      keys({ DATABASE_URL: 'mariadb://root@127.0.0.1/prices' });
    } finally {
      process.chdir(before);
    }
    expect(readFileSync(join(folder, 'var', 'jwt-secret'), 'utf8')).toMatch(/^[\w-]{43}$/);
    expect(warnings).toEqual([
      'JWT_SECRET is not set: generated a random one and stored it in var/jwt-secret.',
    ]);
  });

  it('A13: uses the secret that is set, and stores none', () => {
    const { current } = keys({ JWT_SECRET: 'a secret for this test only, 12345' });
    expect(current.secret.export().toString()).toBe('a secret for this test only, 12345');
    expect(readdirSync(folder)).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('A14: finds the current and the previous key by the kid of a token', () => {
    const [JWT_SECRET, JWT_SECRET_PREVIOUS] = [
      'the new secret of this test, 12345',
      'the old secret of this test, 12345',
    ];
    const both = keys({ JWT_SECRET, JWT_SECRET_PREVIOUS });
    const old = keys({ JWT_SECRET: JWT_SECRET_PREVIOUS });
    expect(both.findByToken(tokenOf(both.current.id))?.export().toString()).toBe(JWT_SECRET);
    expect(both.findByToken(tokenOf(old.current.id))?.export().toString()).toBe(JWT_SECRET_PREVIOUS);
    expect(old.findByToken(tokenOf(both.current.id))).toBeUndefined();
  });

  it.each([
    '',
    'nonsense',
    '.',
    'bnVsbA.e30.x',
    tokenOf(5),
    tokenOf({}),
    tokenOf('__proto__'),
    tokenOf('unknown'),
  ])('A3: finds no key for %s', (token) => {
    expect(keys({ JWT_SECRET: 'a secret for this test only, 12345' }).findByToken(token)).toBeUndefined();
  });

  it('A3: finds no key for a token whose header has critical extensions', () => {
    const service = keys({ JWT_SECRET: 'a secret for this test only, 12345' });
    const token = (header: object) =>
      `${Buffer.from(JSON.stringify({ kid: service.current.id, ...header })).toString('base64url')}.e30.x`;
    expect(service.findByToken(token({}))).toBeDefined();
    for (const crit of [['exp'], ['b64'], [], 'b64', null])
      expect([crit, service.findByToken(token({ crit }))]).toEqual([crit, undefined]);
  });

  it('derives a kid that does not reveal the key, and hashes user names with a derived key', () => {
    const one = keys({ JWT_SECRET: 'a secret for this test only, 12345' });
    const other = keys({ JWT_SECRET: 'b secret for this test only, 12345' });
    // Tokens and counted logins outlast a new release.
    expect(one.current.id).toBe('rDz6ss3XBUT-Wa19');
    expect(one.nameDigest('anna')).toBe('2OEh-Ud9Yp8NVyJgsQNS9IPFgjlvKOmE4CgzPLMKs7U');
    expect(one.current.id).not.toBe(other.current.id);
    expect(one.nameDigest('anna')).not.toBe(one.nameDigest('berta'));
    expect(one.nameDigest('anna')).not.toBe(other.nameDigest('anna'));
    const direct = createHmac('sha256', 'a secret for this test only, 12345').update('anna');
    expect(one.nameDigest('anna')).not.toBe(direct.digest('base64url'));
  });
});
