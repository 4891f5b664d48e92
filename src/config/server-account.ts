/** A database server, and how to log in there. */
export interface ServerAccount {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
}

/** An `@` may stand in a password as it is; everything else out of the ordinary is percent-encoded. */
const URL_PARTS = /^(?:mysql|mariadb):\/\/(?:([^:@/]*)(?::([^/]*))?@)?([^/?@]+)\/([^/?]+)/;
const HOST_PARTS = /^(\[[^\]]+\]|[^:]+)(?::(\d{1,5}))?$/;

/**
 * The servers that an address such as `mariadb://user:password@one:3306,two:3306/prices` names, in its order; none where it cannot
 * be read.
 */
export function serverAccounts(url: string): ServerAccount[] {
  const [, user = '', password = '', hosts = '', database = ''] = URL_PARTS.exec(url) ?? [];
  const places = hosts.split(',').map((text) => HOST_PARTS.exec(text));
  try {
    const login = {
      user: decodeURIComponent(user),
      password: decodeURIComponent(password),
      database: decodeURIComponent(database),
    };
    return places.every((place) => place !== null)
      ? places.map(([, host, port = '3306']) => ({
          host: host!.replace(/^\[|\]$/g, ''),
          port: Number(port),
          ...login,
        }))
      : [];
  } catch {
    // A percent sign that encodes nothing.
    return [];
  }
}

/** For log lines: never the account. */
export const placeOf = ({ host, port }: ServerAccount): string => `${host}:${port}`;
