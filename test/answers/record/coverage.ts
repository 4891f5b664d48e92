import type { RecordedReply } from './recording.js';

/** The request whose reply is the OpenAPI document. */
const DOCUMENT = 'routes: GET /openapi.json';

/** Checks that the list covers every operation of the service's OpenAPI document. */
export class Coverage {
  private readonly requested = new Set<string>();
  private document: string | null = null;

  add({ id, request, body }: RecordedReply): void {
    this.requested.add(`${request.method} ${withSlash(request.target.replace(/\?.*$/s, ''))}`);
    if (id === DOCUMENT) this.document = body;
  }

  /** Operations of the document that were never requested. */
  missing(): string[] {
    const { paths } = JSON.parse(this.document ?? '{}') as { paths?: Record<string, object> };
    const requested = [...this.requested];
    return Object.entries(paths ?? {}).flatMap(([path, operations]) => {
      const pattern = withSlash(path)
        .replaceAll(/[.]/g, '\\.')
        .replaceAll(/\{\w+\}/g, '[^/]+');
      return Object.keys(operations)
        .map((method) => method.toUpperCase())
        .filter((method) => !requested.some((each) => new RegExp(`^${method} ${pattern}$`).test(each)))
        .map((method) => `${method} ${path}`);
    });
  }
}

const withSlash = (path: string): string => path.replace(/\/?$/, '/');
