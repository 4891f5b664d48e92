import { createHash } from 'node:crypto';

/** Values captured from replies, by name; later requests refer to them as `{{name}}`. */
export class Variables {
  private readonly values = new Map<string, string>();
  /** Names that were referred to before any reply gave them a value. */
  readonly unresolved = new Set<string>();

  set(values: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(values)) this.values.set(name, value);
  }

  /** Replaces the names in a text; a name without a value is left as it is. */
  fill(text: string): string {
    return text.replaceAll(/\{\{([\w -]+)\}\}/g, (whole, name: string) => {
      const value = this.values.get(name);
      if (value === undefined) this.unresolved.add(name);
      return value ?? whole;
    });
  }
}

/** The `X-Request-Id` of a request: a UUID derived from the id, so not one of version 4. */
export function requestIdOf(id: string): string {
  const hex = createHash('sha256').update(id).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
