import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const source = join(import.meta.dirname, '..');
let known: string | null = null;

/**
 * A digest of the service's own code: the same in all processes of one build, another as soon as any of it differs. Entity tags that
 * are made before their answer hold it, because other code may write other bytes of the same data.
 */
export function release(): string {
  if (known === null) {
    const hash = createHash('sha256');
    const files = (readdirSync(source, { recursive: true }) as string[]).filter((name) =>
      /\.[jt]s$/.test(name),
    );
    for (const name of files.sort()) hash.update(name).update(readFileSync(join(source, name)));
    known = hash.digest('base64url');
  }
  return known;
}
