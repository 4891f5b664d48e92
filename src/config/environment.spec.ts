import { mkdtempSync, writeFileSync } from 'node:fs';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Environment, InvalidEnvironment, type Variables } from './environment.js';

const SECRET = 'q8N2-vT5x_Lr7W0z-bK4mJ9cE1yH6sD3';

function errorsOf(variables: Variables): string[] {
  try {
    new Environment(variables);
    return [];
  } catch (error) {
    return (error as InvalidEnvironment).errors;
  }
}

describe('Environment', () => {
  it('has defaults for everything outside production', () => {
    expect({ ...new Environment({}) }).toEqual({
      production: false,
      port: 3000,
      host: '127.0.0.1',
      managementPort: 3001,
      managementHost: '127.0.0.1',
      databaseUrl: 'sqlite:./var/prices.sqlite',
      databaseReplicaUrls: [],
      databasePoolSize: 10,
      workers: 1,
      jwtSecret: null,
      jwtSecretPrevious: null,
      accessTokenTtl: 900,
      refreshTokenTtl: 604800,
      refreshTokenIdleTtl: 86400,
      adminUsername: 'admin',
      adminPassword: null,
      publicUrl: null,
      trustProxy: [],
      corsOrigins: [],
      maxPageSize: 10000,
      identityProvider: null,
      maxConnectionsPerAddress: 100,
      importMaxBytes: 20 * 1024 * 1024,
      deskImportMaxBytes: 500 * 1024 * 1024,
      editionsFolder: './var/editions',
      secretsKey: null,
      outgoingAllow: [],
      proxies: { http: null, https: null, except: [] },
      harvestFilesFolder: null,
      harvestMaxBytes: 500 * 1024 * 1024,
      throttleReads: 0,
      throttleWrites: 0,
      throttleUnauthenticated: 0,
      throttleRefreshes: 0,
      strictWrites: false,
      rateRelations: true,
      explorer: true,
      mcp: true,
      shutdownDelay: 0,
      logLevel: 'info',
      sampleData: 'auto',
      trace: null,
      warnings: [],
    });
  });

  it('names every invalid variable and what it accepts, never its value', () => {
    expect(
      errorsOf({ PORT: 'x1y', ACCESS_TOKEN_TTL: '2h', IMPORT_MAX_BYTES: 'much', STRICT_WRITES: 'maybe' }),
    ).toEqual([
      'PORT must be a whole number from 0 to 65535.',
      'ACCESS_TOKEN_TTL must be a duration such as 90s, 15m, 24h or 7d, from 60s to 3600s.',
      'IMPORT_MAX_BYTES must be a size such as 500 KB or 20 MB.',
      'STRICT_WRITES must be on or off.',
    ]);
    // Not below the default page size.
    expect(errorsOf({ MAX_PAGE_SIZE: '99' })).toEqual([
      'MAX_PAGE_SIZE must be a whole number from 100 to 100000.',
    ]);
    expect(new Environment({ MAX_PAGE_SIZE: '100' }).maxPageSize).toBe(100);
    expect(errorsOf({ DATABASE_URL: 'postgres://me:hunter2@host/db' })).toEqual([
      'DATABASE_URL must be sqlite:PATH, mysql://USER:PASSWORD@HOST:PORT/NAME or mariadb://….',
    ]);
    expect(errorsOf({ TRUST_PROXY: 'all', PUBLIC_URL: 'prices.example.org', CORS_ORIGINS: '*' })).toEqual([
      'PUBLIC_URL must be a URL such as https://prices.example.org or https://example.org/prices, without a query.',
      'TRUST_PROXY must be a comma-separated list of addresses, CIDR blocks or `loopback`.',
      'CORS_ORIGINS must be a comma-separated list of origins such as https://example.org.',
    ]);
  });

  it.each([
    ['https://prices.example.org', 'https://prices.example.org'],
    ['https://example.org/prices/', 'https://example.org/prices'],
    ['http://127.0.0.1:8081/food/prices', 'http://127.0.0.1:8081/food/prices'],
  ])('takes the public address %s', (PUBLIC_URL, expected) =>
    expect(new Environment({ PUBLIC_URL }).publicUrl).toBe(expected),
  );

  it.each([
    'https://example.org/prices?a=1',
    'https://example.org/#top',
    'https://example.org/a b',
    '/prices',
  ])('rejects the public address %s', (PUBLIC_URL) =>
    expect(errorsOf({ PUBLIC_URL })).toEqual([
      'PUBLIC_URL must be a URL such as https://prices.example.org or https://example.org/prices, without a query.',
    ]),
  );

  it('rejects a public address below a path that the service has itself', () =>
    expect(errorsOf({ PUBLIC_URL: 'https://example.org/api/prices' })).toEqual([
      'The path of PUBLIC_URL must not begin with /api: the service has addresses there.',
    ]));

  it.each(['10.0.0.0/99', '10.0.0.0/0', '::1/129', '10.0.0.256', 'loopback,fe80::/x'])(
    'rejects the proxies %s',
    (TRUST_PROXY) => {
      expect(errorsOf({ TRUST_PROXY })).toEqual([
        'TRUST_PROXY must be a comma-separated list of addresses, CIDR blocks or `loopback`.',
      ]);
    },
  );

  it('parses the servers of a URL, and rejects replicas of the embedded database', () => {
    const environment = new Environment({
      DATABASE_URL: 'mariadb://me@one:3306,two/prices',
      DATABASE_REPLICA_URLS: 'mariadb://me@three/prices, mariadb://me@four:3307/prices',
    });
    const account = { user: 'me', password: '', database: 'prices' };
    expect(environment.databaseServers).toEqual([
      { ...account, host: 'one', port: 3306 },
      { ...account, host: 'two', port: 3306 },
    ]);
    expect(environment.databaseReplicas).toEqual([
      { ...account, host: 'three', port: 3306 },
      { ...account, host: 'four', port: 3307 },
    ]);
    expect(new Environment({}).databaseServers).toEqual([]);
    expect(errorsOf({ DATABASE_REPLICA_URLS: 'mariadb://me@three/prices' })).toEqual([
      'DATABASE_REPLICA_URLS needs a server in DATABASE_URL: the embedded database has no replicas.',
    ]);
    expect(errorsOf({ DATABASE_URL: 'mariadb://me:hunter2@one,,two/prices' })).toEqual([
      'DATABASE_URL must be percent-encoded and name one HOST:PORT, or several separated by commas.',
    ]);
  });

  it('A13: requires a strong signing secret in production', () => {
    const production = (secret?: string) => errorsOf({ NODE_ENV: 'production', JWT_SECRET: secret });
    expect(production()).toEqual([
      'JWT_SECRET is required when NODE_ENV is production: 32 bytes or more, random.',
    ]);
    expect(production('short')).toEqual(['JWT_SECRET must be at least 32 bytes long.']);
    expect(production('abcabcabcabcabcabcabcabcabcabcabcabc')).toEqual([
      'JWT_SECRET must contain at least 10 different characters.',
    ]);
    expect(production('change-me-to-something-long-and-random')).toEqual([
      'JWT_SECRET must be random, not an example value.',
    ]);
    expect(production(SECRET)).toEqual([]);
  });

  it('checks the length of a signing secret in every environment', () => {
    for (const NODE_ENV of [undefined, 'development', 'test', 'production']) {
      expect(errorsOf({ NODE_ENV, JWT_SECRET: SECRET, JWT_SECRET_PREVIOUS: 'short' })).toEqual([
        'JWT_SECRET_PREVIOUS must be at least 32 bytes long.',
      ]);
    }
    expect(errorsOf({ JWT_SECRET: 'short' })).toEqual(['JWT_SECRET must be at least 32 bytes long.']);
    // The other rules are for production.
    expect(errorsOf({ JWT_SECRET: 'a'.repeat(32) })).toEqual([]);
  });

  it('rejects a NODE_ENV that it does not know', () => {
    for (const NODE_ENV of ['prod', 'staging', 'dev']) {
      expect(errorsOf({ NODE_ENV })).toEqual(['NODE_ENV must be one of production, development, test.']);
    }
    for (const NODE_ENV of [undefined, '', 'development', 'test']) {
      expect(new Environment({ NODE_ENV }).production).toBe(false);
    }
    expect(new Environment({ NODE_ENV: 'production', JWT_SECRET: SECRET }).production).toBe(true);
  });

  describe('A13: an identity provider', () => {
    const settings = {
      AUTH_JWKS_URL: 'https://login.example.org/keys',
      AUTH_ISSUER: 'https://login.example.org/',
      AUTH_AUDIENCE: 'prices',
    };
    const errorsWith = (changes: Variables) => errorsOf({ ...settings, ...changes });

    it('has all of its required settings or none', () => {
      expect(new Environment({}).identityProvider).toBeNull();
      const { identityProvider } = new Environment(settings);
      expect(identityProvider).toEqual({
        jwksUrl: 'https://login.example.org/keys',
        issuer: 'https://login.example.org/',
        audience: 'prices',
        roleClaim: 'roles',
        client: null,
      });
      expect(new Environment({ ...settings, AUTH_ROLE_CLAIM: 'groups' }).identityProvider).toMatchObject({
        roleClaim: 'groups',
      });
      const missing = (name: string) => `${name} is required for the tokens of an identity provider.`;
      for (const name of Object.keys(settings))
        expect(errorsWith({ [name]: undefined })).toEqual([missing(name)]);
      expect(errorsOf({ AUTH_ROLE_CLAIM: 'groups' })).toEqual(Object.keys(settings).map(missing));
    });

    it('has an application for signing in, with the issuer as its address', () => {
      const client = (changes: Variables) =>
        new Environment({ ...settings, ...changes }).identityProvider!.client;
      expect(client({ AUTH_CLIENT_ID: 'desk' })).toEqual({ id: 'desk', secret: null });
      expect(client({ AUTH_CLIENT_ID: 'desk', AUTH_CLIENT_SECRET: 's' })).toEqual({
        id: 'desk',
        secret: 's',
      });
      expect(errorsWith({ AUTH_CLIENT_SECRET: 's' })).toEqual([
        'AUTH_CLIENT_ID is required with AUTH_CLIENT_SECRET.',
      ]);
      for (const AUTH_ISSUER of ['company', 'http://login.example.org'])
        expect(errorsWith({ AUTH_CLIENT_ID: 'desk', AUTH_ISSUER })).toEqual([
          'AUTH_ISSUER must be an https URL where AUTH_CLIENT_ID is set.',
        ]);
      expect(errorsOf({ AUTH_CLIENT_ID: 'desk' })).toHaveLength(Object.keys(settings).length);
    });

    it('has an https URL, or http on the loopback, and an issuer that fits the audit log', () => {
      const url = (AUTH_JWKS_URL: string) => errorsWith({ AUTH_JWKS_URL });
      for (const host of ['localhost:8080', '127.0.0.1:8080', '127.1.2.3', '[::1]'])
        expect(url(`http://${host}/keys`)).toEqual([]);
      const hosts = ['login.example.org', '127.0.0.1.example.org', 'localhost.example.org', '10.0.0.1'];
      for (const invalid of [
        ...hosts.map((host) => `http://${host}/keys`),
        'https://user:secret@login.example.org/keys',
        'file:///etc/passwd',
        'login.example.org/keys',
      ])
        expect(url(invalid)).toEqual([
          'AUTH_JWKS_URL must be an https URL; http is for loopback addresses only.',
        ]);
      expect(errorsWith({ AUTH_ISSUER: 'x'.repeat(256) })).toEqual([
        'AUTH_ISSUER must be at most 255 characters long.',
      ]);
    });
  });

  it('puts the management port after the port, or leaves it out', () => {
    const managementPort = (PORT: string, MANAGEMENT_PORT?: string) =>
      new Environment({ PORT, MANAGEMENT_PORT }).managementPort;
    expect(managementPort('8080')).toBe(8081);
    expect(managementPort('8080', '9090')).toBe(9090);
    expect([managementPort('8080', '0'), managementPort('0'), managementPort('65535')]).toEqual([0, 0, 0]);
    expect(errorsOf({ PORT: '8080', MANAGEMENT_PORT: '8080' })).toEqual([
      'MANAGEMENT_PORT must differ from PORT.',
    ]);
  });

  it('reads a secret from a file', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'pds-env-')), 'secret');
    writeFileSync(path, `${SECRET}\n`);
    expect(new Environment({ JWT_SECRET_FILE: path }).jwtSecret).toBe(SECRET);
    expect(errorsOf({ JWT_SECRET_FILE: `${path}-absent` })).toEqual([
      'JWT_SECRET_FILE must name a readable file: that one cannot be opened (there is no such file or folder).',
    ]);
    expect(errorsOf({ JWT_SECRET_FILE: dirname(path) })).toEqual([
      'JWT_SECRET_FILE must name a readable file: that one cannot be opened (it is a folder).',
    ]);
  });

  it.each(['JWT_SECRET', 'ADMIN_PASSWORD', 'DATABASE_URL', 'DATABASE_REPLICA_URLS'])(
    'A13: rejects an empty file with %s, in production or not',
    (name) => {
      const path = join(mkdtempSync(join(tmpdir(), 'pds-env-')), 'empty');
      writeFileSync(path, '\n');
      for (const NODE_ENV of ['development', 'production'])
        expect(errorsOf({ NODE_ENV, JWT_SECRET: SECRET, [`${name}_FILE`]: path })).toContain(
          `${name}_FILE must name a readable file that is not empty.`,
        );
    },
  );

  it('reads the trace of a command, and ignores an invalid one', () => {
    const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    expect(new Environment({ TRACEPARENT, TRACESTATE: 'a=1' }).trace).toEqual({
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      headers: { traceparent: TRACEPARENT, tracestate: 'a=1' },
    });
    for (const invalid of ['', 'x']) expect(new Environment({ TRACEPARENT: invalid }).trace).toBeNull();
  });

  it('reads exactly the variables that .env.example lists', () => {
    const listed = [...readFileSync('.env.example', 'utf8').matchAll(/^# ([A-Z_]+)=/gm)].map(
      (match) => match[1],
    );
    const source = readFileSync('src/config/environment.ts', 'utf8');
    const read = [...source.matchAll(/read\.\w+\(\s*'([A-Z_]+)'/g)].map((match) => match[1]);
    expect(new Set(listed)).toEqual(new Set(read));
  });
});

describe('warnings about the settings', () => {
  const warnings = (variables: Variables) => new Environment(variables).warnings;

  it('name the setting that a variable probably means', () => {
    expect(warnings({ WORKER: '2', JWT_SECRETS: 'x', THROTTLE_READ: '5' })).toEqual([
      'WORKER is not a setting of the service, and has no effect: is WORKERS meant?',
      'JWT_SECRETS is not a setting of the service, and has no effect: is JWT_SECRET meant?',
      'THROTTLE_READ is not a setting of the service, and has no effect: is THROTTLE_READS meant?',
    ]);
    expect(warnings({ HOME: '/root', PATH: '/bin', HOSTNAME: 'a', LANGUAGE: 'en', WORKERS: '2' })).toEqual(
      [],
    );
  });

  it.each([
    ['TRUST_PROXIES', 'TRUST_PROXY'],
    ['DATABASE_USER', 'DATABASE_URL'],
    ['ADMIN_USER', 'ADMIN_USERNAME'],
    ['ADMIN_PASS', 'ADMIN_PASSWORD'],
    ['admin_pass', 'ADMIN_PASSWORD'],
  ])('take %s for %s: a long name may be further off, or the beginning', (name, setting) => {
    expect(warnings({ [name]: 'x' })).toEqual([
      `${name} is not a setting of the service, and has no effect: is ${setting} meant?`,
    ]);
  });

  it('leave the variables of systems, supervisors and tools alone', () => {
    const others = [
      ...['KUBERNETES_SERVICE_PORT', 'INVOCATION_ID', 'JOURNAL_STREAM', 'STATE_DIRECTORY', 'NODE_OPTIONS'],
      ...['CREDENTIALS_DIRECTORY', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS', 'SSH_AUTH_SOCK', 'LOGNAME'],
      ...['NODE_VERSION', 'NODE_EXTRA_CA_CERTS', 'COLORTERM', 'SYSTEMD_EXEC_PID', 'npm_lifecycle_event'],
      ...[
        'MYSQL_DATABASE',
        'MARIADB_DATABASE',
        'POSTGRES_USER',
        'REDIS_URL',
        'ACCESS_TOKEN',
        'SESSION_SECRET',
      ],
    ];
    expect(warnings(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual([]);
  });

  it('say that Node does not use a proxy by itself', () => {
    expect(warnings({ HTTPS_PROXY: 'http://proxy.example.org:3128' })).toEqual([
      'HTTPS_PROXY has an effect on harvests alone: Node.js 22.21 and newer use it, and NO_PROXY, for other requests where NODE_USE_ENV_PROXY is 1.',
    ]);
    expect(warnings({ HTTPS_PROXY: 'http://proxy.example.org:3128', NODE_USE_ENV_PROXY: '1' })).toEqual([]);
  });
});

describe('the name of the database', () => {
  it('has the file, or the servers, and never the password', () => {
    expect(new Environment({ DATABASE_URL: 'sqlite:/srv/prices.sqlite' }).databaseName).toBe(
      'the SQLite file /srv/prices.sqlite',
    );
    expect(new Environment({ DATABASE_URL: 'mariadb://me:secret@one:3307,two/prices' }).databaseName).toBe(
      'prices on one:3307 or two:3306',
    );
  });
});
