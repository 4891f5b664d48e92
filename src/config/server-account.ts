/** The address and the account of a database server. */
export interface ServerAccount {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

/** A password may contain a plain `@`; other reserved characters are percent-encoded. */
const URL_PATTERN = /^(?:mysql|mariadb):\/\/(?:([^:@/]*)(?::([^/]*))?@)?([^/?@]+)\/([^/?]+)/;
const HOST_PATTERN = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/;

/**
 * Parses a URL with one or several servers, such as
 * `mariadb://user:password@one:3306,two:3306/prices`.
 * @returns the servers in order; empty if the URL is invalid
 */
export function parseServerAccounts(url: string): ServerAccount[] {
  const [, user = '', password = '', hosts = '', database = ''] = URL_PATTERN.exec(url) ?? [];
  const matches = hosts.split(',').map((text) => HOST_PATTERN.exec(text));
  try {
    const login = {
      user: decodeURIComponent(user),
      password: decodeURIComponent(password),
      database: decodeURIComponent(database),
    };
    return matches.every((match) => match !== null)
      ? matches.map(([, host, port = '3306']) => ({
          host: host!.replace(/^\[|\]$/g, ''),
          port: Number(port),
          ...login,
        }))
      : [];
  } catch {
    // An invalid percent-encoding.
    return [];
  }
}

/** `HOST:PORT` for log lines, without the account. */
export const hostAndPort = ({ host, port }: ServerAccount): string => `${host}:${port}`;
