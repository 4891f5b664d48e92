import type { Response } from 'supertest';
import type { TestApp } from '../support/test-app.js';

/** A reply that is not text. */
export interface FileReply {
  bytes: ArrayBuffer;
  status: number;
  headers: Record<string, string>;
}

/**
 * Sends a GET request with the rights of an admin.
 * @param authorization those of an earlier login, which takes long
 */
export async function getFile(
  service: TestApp,
  address: string,
  accept = '*/*',
  authorization?: { Authorization: string },
): Promise<FileReply> {
  const { body, status, headers } = (await service
    .http()
    .get(address)
    .set('Accept', accept)
    .set(authorization ?? (await service.authHeader()))
    .buffer(true)
    .parse((response, done) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(Buffer.from(chunk)));
      response.on('end', () => done(null, Buffer.concat(chunks)));
    })) as Response & { body: Buffer };
  return { bytes: Uint8Array.from(body).buffer, status, headers };
}

/** The parameters that lists require. */
const REQUIRED: Readonly<Record<string, (uuids: readonly string[], revision: string) => string>> = {
  '/api/v1/PriceCompare': (uuids) => `uuids=${uuids.join(',')}&`,
  '/api/v1/PriceSeriePrice/differences': (_, revision) => `from=r${revision}&to=r${revision}&`,
  '/api/v1/PriceSeriePrice/{uuid}/differences': (_, revision) => `from=r${revision}&to=r${revision}&`,
};

/**
 * The addresses of all lists, from the API document, each with `?` or `&` in the end.
 * @param uuids of series, the first with a point
 * @param named the mapping of which the versions are listed, and the harvest of which the runs are
 */
export async function listAddresses(
  service: TestApp,
  uuids: readonly string[],
  named: { mapping?: string; harvest: string },
): Promise<string[]> {
  const uuid = uuids[0]!;
  const { mapping = 'fews-net', harvest } = named;
  const { body } = await service.http().get('/openapi.json').expect(200);
  const points = await service.http().get(`/api/v1/PriceSeriePrice/${uuid}/`).expect(200);
  const [point] = (points.body as { datapoints: { id: number }[] }).datapoints;
  return Object.entries((body as { paths: Record<string, { get?: { responses: object } }> }).paths)
    .filter(
      ([path, { get }]) =>
        path.startsWith('/api/v1/') && JSON.stringify(get?.responses ?? '').includes('text/csv'),
    )
    .map(([path]) => {
      const address = path
        .replace('{uuid}', uuid)
        .replace('/Harvest/{id}/', `/Harvest/${harvest}/`)
        .replace('{id}', String(point!.id))
        .replace('{name}', mapping);
      return `${address}?${REQUIRED[path]?.(uuids, points.headers['data-revision']!) ?? ''}`;
    });
}
