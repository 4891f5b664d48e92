import { statSync } from 'node:fs';

/** Why a file cannot be opened, by the codes of the system and of SQLite. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EEXIST: 'it is no folder',
  ENOTDIR: 'it is no folder',
  EISDIR: 'it is a folder',
  EROFS: 'its file system is read-only',
  ENOENT: 'there is no such file or folder',
  // Also for a file beside it, of its write-ahead log.
  SQLITE_CANTOPEN: 'permission denied',
};

/**
 * Says why a file cannot be opened, and whose it is where that may be the reason, as the end of a
 * sentence that begins with its name.
 */
export function accessProblem(path: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  const reason = REASONS[code ?? ''] ?? code ?? 'unknown reason';
  const owner = ownerOf(path);
  const own = process.getuid?.();
  const whose =
    owner === null || owner === own
      ? ''
      : `; it belongs to user ${owner}, and this process runs as user ${own}`;
  return `cannot be opened (${reason}${whose})`;
}

/** The user id of the owner of a file; null where it cannot be asked. */
function ownerOf(path: string): number | null {
  try {
    return statSync(path).uid;
  } catch {
    return null;
  }
}
