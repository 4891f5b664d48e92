import type { RecordedReply } from './recording.js';

/** The requests whose replies are the OpenAPI documents. */
const DOCUMENTS = ['routes: GET /openapi.json', 'routes: GET /openapi-fpma.json'];

interface ApiDescription {
  servers?: { url: string }[];
  paths?: Record<string, object>;
}

/** Checks that the list covers every operation of the service's OpenAPI documents. */
export class Coverage {
  private readonly requested = new Set<string>();
  private readonly documents: ApiDescription[] = [];

  add({ id, request, status, body }: RecordedReply): void {
    this.requested.add(`${request.method} ${withSlash(request.target.replace(/\?.*$/s, ''))}`);
    if (DOCUMENTS.includes(id) && status === 200)
      this.documents.push(JSON.parse(body ?? '{}') as ApiDescription);
  }

  /** Operations of the documents that were never requested. */
  missing(): string[] {
    const requested = [...this.requested];
    const described = this.documents.flatMap(({ servers = [], paths = {} }) =>
      servers.flatMap(({ url }) =>
        Object.entries(paths).map(
          ([path, operations]) => [url.replace(/\/$/, '') + path, operations] as const,
        ),
      ),
    );
    return described.flatMap(([path, operations]) => {
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
