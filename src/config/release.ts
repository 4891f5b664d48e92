import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const source = join(import.meta.dirname, '..');
let digest: string | null = null;

/**
 * A digest of the service's code: the same in all processes of one build. It is part of entity tags
 * that are computed before the response body, as other code may serialize the same data
 * differently.
 */
export function release(): string {
  if (digest === null) {
    const hash = createHash('sha256');
    const files = (readdirSync(source, { recursive: true }) as string[]).filter((name) =>
      /\.[jt]s$/.test(name),
    );
    for (const name of files.sort()) hash.update(name).update(readFileSync(join(source, name)));
    digest = hash.digest('base64url');
  }
  return digest;
}
