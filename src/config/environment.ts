import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { closest, distance } from 'fastest-levenshtein';
import proxyAddr from 'proxy-addr';
import { accessProblem } from '../lib/files/access-problem.js';
import type { LogLevel } from '../platform/logging/service-log.js';
import { readTraceContext, type TraceContext } from '../platform/logging/trace-context.js';
import type { Proxies } from '../platform/outgoing/proxies.js';
import { DEFAULT_PAGE_SIZE } from '../platform/listing/page.js';
import { hostAndPort, parseServerAccounts, type ServerAccount } from './server-account.js';

/** The settings are invalid. One error per variable; never contains a value. */
export class InvalidEnvironment extends Error {
  constructor(readonly errors: string[]) {
    super(`The settings are not valid:\n${errors.map((error) => `  ${error}`).join('\n')}`);
    this.name = 'InvalidEnvironment';
  }
}

/** The provider of a company's access tokens, which are accepted beside those of the service. */
export interface IdentityProvider {
  /** Address of its public keys, a JSON Web Key Set. */
  jwksUrl: string;
  /** `iss` and `aud` of its tokens. */
  issuer: string;
  audience: string;
  /** The claim that has the roles: its name, or a path such as `realm_access.roles`. */
  roleClaim: string;
  /** The service as an application there, by which people sign in; null where it is none. */
  client: { id: string; secret: string | null } | null;
}

/** Environment variables by name; `process.env` except in tests. */
export type Variables = Record<string, string | undefined>;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MEGABYTE = 1024 * 1024;

/** Secrets from documentation and examples, rejected as signing keys. */
const SAMPLE_SECRETS = /^(change[-_ ]?me|secret|your[-_ ]|example|sample|test[-_ ]?secret|password)/i;

/** First segments of the addresses of the service; a test compares them with its routes. */
export const OWN_PATHS: readonly string[] = [
  'api',
  'browse',
  'commodities',
  'compare',
  'compare.png',
  'compare.preview.png',
  'compare.svg',
  'countries',
  'data',
  'desk',
  'docs',
  'editions',
  'embed',
  'explorer',
  'giews',
  'health',
  'help',
  'images',
  'llms.txt',
  'map.png',
  'map.preview.png',
  'map.svg',
  'markets',
  'mcp',
  'openapi-fpma.json',
  'openapi.json',
  'problems',
  'releases',
  'robots.txt',
  'series',
  'warnings',
  'warnings.png',
  'warnings.preview.png',
  'warnings.svg',
];

/**
 * All settings of the service, typed and validated once. Only this class reads the environment
 * variables; `.env.example` lists the same names. Durations are in seconds, sizes in bytes.
 * @throws InvalidEnvironment with an error for each invalid variable
 */
export class Environment {
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  /** Port of health and metrics; 0 for none. */
  readonly managementPort: number;
  readonly managementHost: string;
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
  readonly identityProvider: IdentityProvider | null;
  readonly publicUrl: string | null;
  /** Addresses or CIDR blocks of proxies whose `X-Forwarded-*` headers are trusted. */
  readonly trustProxy: string[];
  readonly corsOrigins: string[];
  readonly maxPageSize: number;
  /** Of an address that is not a trusted proxy; 0 is off. */
  readonly maxConnectionsPerAddress: number;
  readonly importMaxBytes: number;
  /** Of a file that is uploaded at the desk, and of its content after decompression. */
  readonly deskImportMaxBytes: number;
  /** Requests per minute; 0 is off. */
  readonly throttleReads: number;
  readonly throttleWrites: number;
  readonly throttleUnauthenticated: number;
  readonly throttleRefreshes: number;
  readonly strictWrites: boolean;
  /**
   * Whether fixed legal relations and successor codes give dollars where no rate is published.
   */
  readonly rateRelations: boolean;
  /** Whether there are pages for people beside the API. */
  readonly explorer: boolean;
  /** Whether assistants may ask by the Model Context Protocol. */
  readonly mcp: boolean;
  /** The folder of the files of editions, which several machines may share. */
  readonly editionsFolder: string;
  /** Encrypts secrets that are stored, such as the tokens of sources. */
  readonly secretsKey: string | null;
  /** Addresses, CIDR blocks and names that records may name though they are not public. */
  readonly outgoingAllow: readonly string[];
  /** Of harvests; names and addresses that are reached without them. */
  readonly proxies: Proxies;
  /** The folder below which harvests read `file:` addresses; null where they read none. */
  readonly harvestFilesFolder: string | null;
  /** Of a file that a harvest fetches, and of its content after decompression. */
  readonly harvestMaxBytes: number;
  readonly shutdownDelay: number;
  readonly logLevel: LogLevel;
  readonly sampleData: 'auto' | 'on' | 'off';
  /** The trace that a command belongs to; null without a valid one. */
  readonly trace: TraceContext | null;
  /** What is probably not as it was meant, a sentence each. */
  readonly warnings: readonly string[];
  /** Private, so that no log shows what is in them. */
  readonly #variables: Variables;

  constructor(variables: Variables = process.env) {
    this.#variables = variables;
    const read = new VariableReader(variables);
    const kinds = ['production', 'development', 'test'] as const;
    this.production = read.choice('NODE_ENV', 'development', kinds) === 'production';
    this.port = read.integer('PORT', 3000, 0, 65535);
    this.host = read.text('HOST') ?? '127.0.0.1';
    // No port is known to be free beside one that the system chooses.
    const nextPort = this.port === 0 || this.port === 65535 ? 0 : this.port + 1;
    this.managementPort = read.integer('MANAGEMENT_PORT', nextPort, 0, 65535);
    this.managementHost = read.text('MANAGEMENT_HOST') ?? '127.0.0.1';
    this.databaseUrl = read.matching(
      'DATABASE_URL',
      'sqlite:./var/prices.sqlite',
      /^(sqlite:.+|(mysql|mariadb):\/\/.+\/.+)$/,
      'sqlite:PATH, mysql://USER:PASSWORD@HOST:PORT/NAME or mariadb://…',
    );
    this.databaseReplicaUrls = read.list(
      'DATABASE_REPLICA_URLS',
      (item) => /^(mysql|mariadb):\/\/.+\/.+$/.test(item),
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
    this.identityProvider = readIdentityProvider(read);
    this.publicUrl = read.publicUrl('PUBLIC_URL');
    this.trustProxy = read.list('TRUST_PROXY', isProxyRange, 'addresses, CIDR blocks or `loopback`');
    this.corsOrigins = read.list(
      'CORS_ORIGINS',
      (item) => /^https?:\/\/[^/\s]+$/.test(item),
      'origins such as https://example.org',
    );
    // At least the default page size.
    this.maxPageSize = read.integer('MAX_PAGE_SIZE', 10_000, DEFAULT_PAGE_SIZE, 100_000);
    this.maxConnectionsPerAddress = read.integer('MAX_CONNECTIONS_PER_ADDRESS', 100, 0, 10_000);
    this.importMaxBytes = read.size('IMPORT_MAX_BYTES', 20 * MEGABYTE);
    this.deskImportMaxBytes = read.size('DESK_IMPORT_MAX_BYTES', 500 * MEGABYTE);
    this.throttleReads = read.integer('THROTTLE_READS', this.production ? 6000 : 0, 0, 10_000_000);
    this.throttleWrites = read.integer('THROTTLE_WRITES', this.production ? 120 : 0, 0, 10_000_000);
    this.throttleUnauthenticated = read.integer(
      'THROTTLE_UNAUTHENTICATED',
      this.production ? 60 : 0,
      0,
      10_000_000,
    );
    this.throttleRefreshes = read.integer('THROTTLE_REFRESHES', this.production ? 60 : 0, 0, 10_000);
    this.strictWrites = read.flag('STRICT_WRITES', false);
    this.rateRelations = read.flag('RATE_RELATIONS', true);
    this.explorer = read.flag('EXPLORER', true);
    this.mcp = read.flag('MCP', true);
    this.editionsFolder = read.text('EDITIONS_DIR') ?? './var/editions';
    this.secretsKey = read.secret('SECRETS_KEY');
    this.outgoingAllow = read.list(
      'OUTGOING_ALLOW',
      (item) => isProxyRange(item) || /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i.test(item),
      'addresses, CIDR blocks, names of hosts or `loopback`',
    );
    this.proxies = {
      https: read.proxy('HTTPS_PROXY'),
      http: read.proxy('HTTP_PROXY'),
      except: read.proxyExceptions('NO_PROXY'),
    };
    this.harvestFilesFolder = read.text('HARVEST_FILES_DIR');
    this.harvestMaxBytes = read.size('HARVEST_MAX_BYTES', 500 * MEGABYTE);
    this.shutdownDelay = read.duration('SHUTDOWN_DELAY', 0, 0, 10 * MINUTE);
    this.logLevel = read.choice('LOG_LEVEL', 'info', ['silent', 'error', 'warn', 'info', 'debug']);
    this.sampleData = read.choice('SAMPLE_DATA', 'auto', ['auto', 'on', 'off']);
    this.trace = readTraceContext({
      traceparent: read.text('TRACEPARENT'),
      tracestate: read.text('TRACESTATE'),
    });
    if (this.managementPort !== 0 && this.managementPort === this.port)
      read.errors.push('MANAGEMENT_PORT must differ from PORT.');
    this.checkServers(read);
    this.checkSecrets(read);
    this.warnings = warningsAbout(variables, read.names);
    if (read.errors.length > 0) throw new InvalidEnvironment(read.errors);
  }

  /** Which database this is, for messages: without its password. */
  get databaseName(): string {
    if (this.embedded) return `the SQLite file ${resolve(this.sqlitePath)}`;
    const [{ database }] = this.databaseServers as [ServerAccount];
    const hosts = this.databaseServers.map(hostAndPort);
    return `${database} on ${hosts.join(' or ')}`;
  }

  /** The variables themselves, for processes that this one starts. */
  get variables(): Variables {
    return this.#variables;
  }

  /** Whether the database is the embedded one (SQLite). */
  get embedded(): boolean {
    return this.databaseUrl.startsWith('sqlite:');
  }

  /** Path of the embedded database file. */
  get sqlitePath(): string {
    return this.databaseUrl.slice('sqlite:'.length);
  }

  /**
   * The servers of `DATABASE_URL`, in order of preference for writes; empty for the embedded
   * database.
   */
  get databaseServers(): ServerAccount[] {
    return parseServerAccounts(this.databaseUrl);
  }

  /** The servers of `DATABASE_REPLICA_URLS`. */
  get databaseReplicas(): ServerAccount[] {
    return this.databaseReplicaUrls.flatMap(parseServerAccounts);
  }

  private checkServers(read: VariableReader): void {
    if (this.embedded && this.databaseReplicaUrls.length > 0) {
      read.errors.push(
        'DATABASE_REPLICA_URLS needs a server in DATABASE_URL: the embedded database has no replicas.',
      );
    }
    // A value that is not a URL at all has been reported already.
    if (/^(mysql|mariadb):\/\/.+\/.+$/.test(this.databaseUrl) && this.databaseServers.length === 0) {
      read.errors.push(
        'DATABASE_URL must be percent-encoded and name one HOST:PORT, or several separated by commas.',
      );
    }
  }

  private checkSecrets(read: VariableReader): void {
    if (this.production && this.jwtSecret === null) {
      read.errors.push('JWT_SECRET is required when NODE_ENV is production: 32 bytes or more, random.');
    }
    for (const [name, secret] of [
      ['JWT_SECRET', this.jwtSecret],
      ['JWT_SECRET_PREVIOUS', this.jwtSecretPrevious],
      ['SECRETS_KEY', this.secretsKey],
    ] as const) {
      if (secret === null) continue;
      if (Buffer.byteLength(secret) < 32) read.errors.push(`${name} must be at least 32 bytes long.`);
      else if (!this.production) continue;
      else if (new Set(secret).size < 10)
        read.errors.push(`${name} must contain at least 10 different characters.`);
      else if (SAMPLE_SECRETS.test(secret)) read.errors.push(`${name} must be random, not an example value.`);
    }
  }
}

/** Parses single variables and collects their errors. */
class VariableReader {
  readonly errors: string[] = [];
  /** The names of all settings. */
  readonly names = new Set<string>();
  constructor(private readonly variables: Variables) {}

  text(name: string): string | null {
    this.names.add(name);
    const value = this.variables[name]?.trim();
    return value === undefined || value === '' ? null : value;
  }

  matching(name: string, fallback: string, pattern: RegExp, expected: string): string {
    const value = this.secret(name);
    if (value === null) return fallback;
    if (!pattern.test(value)) this.errors.push(`${name} must be ${expected}.`);
    return value;
  }

  /**
   * A value that may also come from the file named by `NAME_FILE`. A broken mount leaves an empty
   * file, which must not mean the default.
   */
  secret(name: string): string | null {
    const path = this.text(`${name}_FILE`);
    if (path === null) return this.text(name);
    try {
      const value = readFileSync(path, 'utf8').trim();
      if (value !== '') return value;
      this.errors.push(`${name}_FILE must name a readable file that is not empty.`);
    } catch (error) {
      // Its value may be the secret itself, by mistake.
      this.errors.push(`${name}_FILE must name a readable file: that one ${accessProblem(path, error)}.`);
    }
    return null;
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const value = this.text(name);
    if (value === null) return fallback;
    const number = /^\d{1,9}$/.test(value) ? Number(value) : NaN;
    if (number >= min && number <= max) return number;
    this.errors.push(`${name} must be a whole number from ${min} to ${max}.`);
    return fallback;
  }

  /** `900`, `900s`, `15m`, `24h` or `7d`, in seconds. */
  duration(name: string, fallback: number, min: number, max: number): number {
    const value = this.text(name);
    if (value === null) return fallback;
    const match = /^(\d{1,7})(s|m|h|d)?$/.exec(value);
    const unit = { s: 1, m: MINUTE, h: HOUR, d: DAY }[match?.[2] ?? 's'] ?? 1;
    const seconds = match ? Number(match[1]) * unit : NaN;
    if (seconds >= min && seconds <= max) return seconds;
    this.errors.push(`${name} must be a duration such as 90s, 15m, 24h or 7d, from ${min}s to ${max}s.`);
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
    this.errors.push(`${name} must be a size such as 500 KB or 20 MB.`);
    return fallback;
  }

  /** The address of a proxy, in capitals or small letters, as other programs have it. */
  proxy(name: string): string | null {
    const value = this.text(name.toLowerCase()) ?? this.text(name);
    if (value === null) return null;
    const address = /^[a-z0-9]+:\/\//i.test(value) ? value : `http://${value}`;
    if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return address;
    this.errors.push(`${name} must be an address such as http://proxy.example.org:3128.`);
    return null;
  }

  /** Hosts that are reached without a proxy; likewise in small letters. */
  proxyExceptions(name: string): string[] {
    const value = this.text(name.toLowerCase()) ?? this.text(name) ?? '';
    return value.split(/[\s,]+/).filter((item) => item !== '');
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.text(name)?.toLowerCase() ?? null;
    if (value === null) return fallback;
    if (['1', 'true', 'on', 'yes'].includes(value)) return true;
    if (!['0', 'false', 'off', 'no'].includes(value)) this.errors.push(`${name} must be on or off.`);
    return false;
  }

  choice<T extends string>(name: string, fallback: T, allowed: readonly T[]): T {
    const value = this.text(name);
    if (value === null) return fallback;
    const found = allowed.find((item) => item === value.toLowerCase());
    if (found === undefined) this.errors.push(`${name} must be one of ${allowed.join(', ')}.`);
    return found ?? fallback;
  }

  list(name: string, isValid: (item: string) => boolean, expected: string): string[] {
    const items = (this.secret(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
    if (!items.every(isValid)) this.errors.push(`${name} must be a comma-separated list of ${expected}.`);
    return items;
  }

  /**
   * A URL such as `https://prices.example.org`, or one with a path below which the service stands.
   * The path is no address of the service itself: it could not be told whether a proxy has removed
   * it.
   */
  publicUrl(name: string): string | null {
    const value = this.text(name)?.replace(/\/+$/, '') ?? null;
    if (value === null) return null;
    const first = /^https?:\/\/[^/\s?#]+((?:\/[A-Za-z0-9._~-]+)*)$/.exec(value)?.[1]?.split('/')[1];
    if (first === undefined && !/^https?:\/\/[^/\s?#]+$/.test(value))
      this.errors.push(
        `${name} must be a URL such as https://prices.example.org or https://example.org/prices, without a query.`,
      );
    else if (first !== undefined && (OWN_PATHS.includes(first) || /^\.+$/.test(first)))
      this.errors.push(`The path of ${name} must not begin with /${first}: the service has addresses there.`);
    return value;
  }
}

/** Letters by which the name of a variable may differ from that of a setting; of a long one. */
const MAX_MISSPELLING = 2;
const MAX_MISSPELLING_LONG = 3;
const LONG_NAME_LENGTH = 10;
/** Shorter names are near too many others: `HOME` and `HOST`. */
const MIN_NAME_LENGTH = 6;

/** Whether a name is the beginning of a setting's, up to within its last word: `ADMIN_PASS`. */
const isShortFor = (name: string, setting: string) =>
  setting.startsWith(name) && name.lastIndexOf('_') === setting.lastIndexOf('_');

/** Variables that look like settings and are none, and a proxy that Node itself does not use. */
function warningsAbout(variables: Variables, names: ReadonlySet<string>): string[] {
  const warnings: string[] = [];
  for (const name of Object.keys(variables)) {
    if (name.length < MIN_NAME_LENGTH || names.has(name) || !variables[name]) continue;
    const upper = name.toUpperCase();
    const nearest = [...names].find((each) => isShortFor(upper, each)) ?? closest(upper, [...names]);
    const most = name.length < LONG_NAME_LENGTH ? MAX_MISSPELLING : MAX_MISSPELLING_LONG;
    if (isShortFor(upper, nearest) || distance(upper, nearest) <= most)
      warnings.push(`${name} is not a setting of the service, and has no effect: is ${nearest} meant?`);
  }
  const proxy = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].find((name) => variables[name]);
  if (proxy !== undefined && variables.NODE_USE_ENV_PROXY !== '1')
    warnings.push(
      `${proxy} has an effect on harvests alone: Node.js 22.21 and newer use it, and NO_PROXY, for other requests where NODE_USE_ENV_PROXY is 1.`,
    );
  return warnings;
}

/** Whether Express's `trust proxy` accepts an address, a CIDR block or `loopback`. */
function isProxyRange(item: string): boolean {
  if (!/^(loopback|[0-9a-fA-F.:]+(\/\d{1,3})?)$/.test(item)) return false;
  try {
    proxyAddr.compile(item);
    return true;
  } catch {
    return false;
  }
}

/** All or none of its required settings are set. */
function readIdentityProvider(read: VariableReader): IdentityProvider | null {
  const required = {
    AUTH_JWKS_URL: read.text('AUTH_JWKS_URL'),
    AUTH_ISSUER: read.text('AUTH_ISSUER'),
    AUTH_AUDIENCE: read.text('AUTH_AUDIENCE'),
  };
  const { AUTH_JWKS_URL: jwksUrl, AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience } = required;
  const roleClaim = read.text('AUTH_ROLE_CLAIM');
  const clientId = read.text('AUTH_CLIENT_ID');
  const clientSecret = read.secret('AUTH_CLIENT_SECRET');
  if (!jwksUrl && !issuer && !audience && !roleClaim && !clientId && !clientSecret) return null;
  for (const [name, value] of Object.entries(required))
    if (value === null) read.errors.push(`${name} is required for the tokens of an identity provider.`);
  if (jwksUrl && !isSecureUrl(jwksUrl))
    read.errors.push('AUTH_JWKS_URL must be an https URL; http is for loopback addresses only.');
  // The audit log stores it.
  if (issuer && issuer.length > 255) read.errors.push('AUTH_ISSUER must be at most 255 characters long.');
  if (clientSecret && !clientId) read.errors.push('AUTH_CLIENT_ID is required with AUTH_CLIENT_SECRET.');
  if (clientId && issuer && !isSecureUrl(issuer))
    read.errors.push('AUTH_ISSUER must be an https URL where AUTH_CLIENT_ID is set.');
  if (!jwksUrl || !issuer || !audience) return null;
  const client = clientId === null ? null : { id: clientId, secret: clientSecret };
  return { jwksUrl, issuer, audience, roleClaim: roleClaim ?? 'roles', client };
}

/**
 * Whether what is fetched from an address cannot be read or replaced on the way: https, or http on
 * the loopback.
 */
export function isSecureUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username } = new URL(text);
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
  return username === '' && (protocol === 'https:' || (protocol === 'http:' && isLoopback));
}
