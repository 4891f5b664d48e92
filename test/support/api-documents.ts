import type { Json } from '../fuzz/api-document.js';
import type { TestApp } from './test-app.js';

/** The addresses of the OpenAPI documents. */
export const DOCUMENTS = ['/openapi.json', '/openapi-fpma.json'] as const;

/** The operations of a document by their whole path, once for each of its servers. */
function wholePaths({ servers, paths }: Json): [string, Json][] {
  return (servers as unknown as { url: string }[]).flatMap(({ url }) =>
    Object.entries(paths!).map(([path, methods]): [string, Json] => [
      `${url.replace(/\/$/, '')}${path}`,
      methods,
    ]),
  );
}

/** Both documents in one, with whole paths: every address that either describes. */
export async function readDocuments({ http }: TestApp): Promise<Json> {
  const [service, fpma] = (await Promise.all(
    DOCUMENTS.map(async (address) => (await http().get(address).expect(200)).body as Json),
  )) as [Json, Json];
  const own = Object.fromEntries(wholePaths(service));
  // FPMA's document has the service's own prefix as a server, too.
  const added = wholePaths(fpma).filter(([path]) => own[path] === undefined);
  return {
    paths: { ...own, ...Object.fromEntries(added) },
    components: {
      schemas: { ...fpma.components!.schemas, ...service.components!.schemas },
    },
  } as unknown as Json;
}
