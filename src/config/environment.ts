import { readFileSync } from 'node:fs';
import { DEFAULT_PAGE_SIZE } from '../common/pagination/page.js';
import { serverAccounts, type ServerAccount } from './server-account.js';

/** What is wrong with the settings, one line a variable; never holds a value. */
export class InvalidEnvironment extends Error {
  constructor(readonly faults: string[]) {
    super(`The settings are not valid:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'InvalidEnvironment';
  }
}

/** A source of settings by name; `process.env` unless a test gives another. */
export type Variables = Record<string, string | undefined>;

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MEGABYTE = 1024 * 1024;

/** Secrets printed in documents and examples, refused as signing keys. */
const SAMPLE_SECRETS = /^(change[-_ ]?me|secret|your[-_ ]|example|sample|test[-_ ]?secret|password)/i;

/**
 * All settings of the service, typed and checked once. This is the only place that reads the process's environment;
 * `.env.example` lists the same names. Durations are in seconds, sizes in bytes.
 * @throws InvalidEnvironment naming every variable at fault
 */
export class Environment {
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  readonly databaseUrl: string;
  readonly databaseReplicaUrls: string[];
  readonly databasePoolSize: number;
  readonly workers: number;
  readonly jwtSecret: string | null;
  readonly jwtSecretPrevious: string | null;
  readonly accessTokenTtl: number;
  readonly refreshTokenTtl: number;
  readonly refreshTokenIdleTtl: number;
  readonly adminUsername: string;
  readonly adminPassword: string | null;
  readonly publicUrl: string | null;
  /** Addresses or CIDR blocks of proxies whose `X-Forwarded-*` headers count. */
  readonly trustProxy: string[];
  readonly corsOrigins: string[];
  readonly maxPageSize: number;
  readonly importMaxBytes: number;
  /** Requests a minute; 0 is off. */
  readonly throttleReads: number;
  readonly throttleWrites: number;
  readonly throttleRefreshes: number;
  readonly strictWrites: boolean;
  readonly shutdownDelay: number;
  readonly logLevel: LogLevel;
  readonly sampleData: 'auto' | 'on' | 'off';

  constructor(variables: Variables = process.env) {
    const read = new Reader(variables);
    this.production = variables.NODE_ENV === 'production';
    this.port = read.integer('PORT', 3000, 0, 65535);
    this.host = read.text('HOST') ?? '127.0.0.1';
    this.databaseUrl = read.matching(
      'DATABASE_URL',
      'sqlite:./var/prices.sqlite',
      /^(sqlite:.+|(mysql|mariadb):\/\/.+\/.+)$/,
      'sqlite:PATH, mysql://USER:PASSWORD@HOST:PORT/NAME or mariadb://…',
    );
    this.databaseReplicaUrls = read.list(
      'DATABASE_REPLICA_URLS',
      /^(mysql|mariadb):\/\/.+\/.+$/,
      'mysql://… or mariadb://…',
    );
    this.databasePoolSize = read.integer('DATABASE_POOL_SIZE', 10, 1, 100);
    this.workers = read.integer('WORKERS', 1, 1, 64);
    this.jwtSecret = read.secret('JWT_SECRET');
    this.jwtSecretPrevious = read.secret('JWT_SECRET_PREVIOUS');
    this.accessTokenTtl = read.duration('ACCESS_TOKEN_TTL', 15 * MINUTE, MINUTE, HOUR);
    this.refreshTokenTtl = read.duration('REFRESH_TOKEN_TTL', 7 * DAY, HOUR, 30 * DAY);
    this.refreshTokenIdleTtl = read.duration('REFRESH_TOKEN_IDLE_TTL', DAY, HOUR, 30 * DAY);
    this.adminUsername = read.text('ADMIN_USERNAME') ?? 'admin';
    this.adminPassword = read.secret('ADMIN_PASSWORD');
    this.publicUrl = read.origin('PUBLIC_URL');
    this.trustProxy = read.list(
      'TRUST_PROXY',
      /^(loopback|[0-9a-fA-F.:]+(\/\d{1,3})?)$/,
      'addresses or CIDR blocks, or loopback',
    );
    this.corsOrigins = read.list(
      'CORS_ORIGINS',
      /^https?:\/\/[^/\s]+$/,
      'origins such as https://example.org',
    );
    // Not below the size of a page that is asked for without one.
    this.maxPageSize = read.integer('MAX_PAGE_SIZE', 10_000, DEFAULT_PAGE_SIZE, 100_000);
    this.importMaxBytes = read.size('IMPORT_MAX_BYTES', 20 * MEGABYTE);
    this.throttleReads = read.integer('THROTTLE_READS', this.production ? 6000 : 0, 0, 10_000_000);
    this.throttleWrites = read.integer('THROTTLE_WRITES', this.production ? 120 : 0, 0, 10_000_000);
    this.throttleRefreshes = read.integer('THROTTLE_REFRESHES', this.production ? 60 : 0, 0, 10_000);
    this.strictWrites = read.flag('STRICT_WRITES', false);
    this.shutdownDelay = read.duration('SHUTDOWN_DELAY', 0, 0, 10 * MINUTE);
    this.logLevel = read.choice('LOG_LEVEL', 'info', ['silent', 'error', 'warn', 'info', 'debug']);
    this.sampleData = read.choice('SAMPLE_DATA', 'auto', ['auto', 'on', 'off']);
    this.checkServers(read);
    this.checkSecrets(read);
    if (read.faults.length > 0) throw new InvalidEnvironment(read.faults);
  }

  /** True for the embedded SQLite database. */
  get embedded(): boolean {
    return this.databaseUrl.startsWith('sqlite:');
  }

  /** Path of the embedded database's file. */
  get sqlitePath(): string {
    return this.databaseUrl.slice('sqlite:'.length);
  }

  /** The servers of `DATABASE_URL`, the one to be written to first; none for the embedded database. */
  get databaseServers(): ServerAccount[] {
    return serverAccounts(this.databaseUrl);
  }

  /** The servers of `DATABASE_REPLICA_URLS`. */
  get databaseReplicas(): ServerAccount[] {
    return this.databaseReplicaUrls.flatMap(serverAccounts);
  }

  private checkServers(read: Reader): void {
    if (this.embedded && this.databaseReplicaUrls.length > 0) {
      read.faults.push(
        'DATABASE_REPLICA_URLS needs a server in DATABASE_URL: the embedded database has no replicas.',
      );
    }
    // What is no address at all has been told already.
    if (/^(mysql|mariadb):\/\/.+\/.+$/.test(this.databaseUrl) && this.databaseServers.length === 0) {
      read.faults.push(
        'DATABASE_URL cannot be read: it has to be percent-encoded, with one HOST:PORT or several separated by commas.',
      );
    }
  }

  private checkSecrets(read: Reader): void {
    if (this.production && this.jwtSecret === null) {
      read.faults.push('JWT_SECRET is required when NODE_ENV is production: 32 bytes or more, random.');
    }
    if (!this.production) return;
    for (const [name, secret] of [
      ['JWT_SECRET', this.jwtSecret],
      ['JWT_SECRET_PREVIOUS', this.jwtSecretPrevious],
    ] as const) {
      if (secret === null) continue;
      if (Buffer.byteLength(secret) < 32) read.faults.push(`${name} must hold at least 32 bytes.`);
      else if (new Set(secret).size < 10)
        read.faults.push(`${name} must hold at least 10 different characters.`);
      else if (SAMPLE_SECRETS.test(secret)) read.faults.push(`${name} is a known sample: make a random one.`);
    }
  }
}

/** Reads single variables and collects what is wrong with them. */
class Reader {
  readonly faults: string[] = [];
  constructor(private readonly variables: Variables) {}

  text(name: string): string | null {
    const value = this.variables[name]?.trim();
    return value === undefined || value === '' ? null : value;
  }

  matching(name: string, fallback: string, pattern: RegExp, expected: string): string {
    const value = this.secret(name);
    if (value === null) return fallback;
    if (!pattern.test(value)) this.faults.push(`${name} must be ${expected}.`);
    return value;
  }

  /** A value that may also stand in the file that `NAME_FILE` names. */
  secret(name: string): string | null {
    const path = this.text(`${name}_FILE`);
    if (path === null) return this.text(name);
    try {
      return readFileSync(path, 'utf8').trim() || null;
    } catch {
      this.faults.push(`${name}_FILE must name a readable file.`);
      return null;
    }
  }

  integer(name: string, fallback: number, least: number, most: number): number {
    const value = this.text(name);
    if (value === null) return fallback;
    const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
    if (number >= least && number <= most) return number;
    this.faults.push(`${name} must be a whole number from ${least} to ${most}.`);
    return fallback;
  }

  /** `900`, `900s`, `15m`, `24h` or `7d`, in seconds. */
  duration(name: string, fallback: number, least: number, most: number): number {
    const value = this.text(name);
    if (value === null) return fallback;
    const match = /^(\d{1,7})(s|m|h|d)?$/.exec(value);
    const unit = { s: 1, m: MINUTE, h: HOUR, d: DAY }[match?.[2] ?? 's'] ?? 1;
    const seconds = match ? Number(match[1]) * unit : NaN;
    if (seconds >= least && seconds <= most) return seconds;
    this.faults.push(`${name} must be a duration such as 90s, 15m, 24h or 7d, from ${least}s to ${most}s.`);
    return fallback;
  }

  /** `1000000`, `500 KB` or `20 MB`, in bytes. */
  size(name: string, fallback: number): number {
    const value = this.text(name);
    if (value === null) return fallback;
    const match = /^(\d{1,10})\s*(KB|MB|GB)?$/i.exec(value);
    if (match)
      return (
        Number(match[1]) *
        ({ KB: 1024, MB: MEGABYTE, GB: 1024 * MEGABYTE }[match[2]?.toUpperCase() ?? ''] ?? 1)
      );
    this.faults.push(`${name} must be a size such as 500 KB or 20 MB.`);
    return fallback;
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.text(name)?.toLowerCase() ?? null;
    if (value === null) return fallback;
    if (['1', 'true', 'on', 'yes'].includes(value)) return true;
    if (!['0', 'false', 'off', 'no'].includes(value)) this.faults.push(`${name} must be on or off.`);
    return false;
  }

  choice<T extends string>(name: string, fallback: T, allowed: readonly T[]): T {
    const value = this.text(name);
    if (value === null) return fallback;
    const found = allowed.find((item) => item === value.toLowerCase());
    if (found === undefined) this.faults.push(`${name} must be one of ${allowed.join(', ')}.`);
    return found ?? fallback;
  }

  list(name: string, pattern: RegExp, expected: string): string[] {
    const items = (this.secret(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
    if (!items.every((item) => pattern.test(item)))
      this.faults.push(`${name} must hold ${expected}, separated by commas.`);
    return items;
  }

  /** An address such as `https://prices.example.org`, without a path. */
  origin(name: string): string | null {
    const value = this.text(name)?.replace(/\/+$/, '') ?? null;
    if (value !== null && !/^https?:\/\/[^/\s?#]+$/.test(value)) {
      this.faults.push(`${name} must be an address such as https://prices.example.org, without a path.`);
    }
    return value;
  }
}
