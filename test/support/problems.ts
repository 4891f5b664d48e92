import type { Response } from 'supertest';

/** What a test says of a fault: its place and code, and members such as `allowed` where they matter. */
export type ExpectedFault = Readonly<Record<string, unknown>>;

export interface ExpectedProblem {
  status: number;
  code: string;
  /** Every fault, in any order; 400 and 409 have the list even where it is empty. */
  errors?: readonly ExpectedFault[];
  /** Further members of the body. */
  extra?: Readonly<Record<string, unknown>>;
}

const place = (fault: ExpectedFault) => JSON.stringify([fault.pointer ?? fault.name, fault.code]);
const byPlace = (one: ExpectedFault, other: ExpectedFault) => (place(one) < place(other) ? -1 : 1);

/** G1: a refusal is problem details with all its members, and nothing else; never kept by caches. */
export function expectProblem(
  response: Response,
  { status, code, errors, extra = {} }: ExpectedProblem,
): void {
  const body = response.body as Record<string, unknown>;
  expect({ status: response.status, body }).toMatchObject({ status, body: { status, code } });
  expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(response.headers['cache-control']).toBe('no-store');
  const listed = status === 400 || status === 409;
  expect(body).toEqual({
    type: `/problems/${code}`,
    title: expect.stringMatching(/./),
    status,
    code,
    detail: expect.stringMatching(/./),
    instance: `urn:uuid:${response.headers['x-request-id']}`,
    ...(listed ? { errors: expect.any(Array) } : {}),
    ...extra,
  });
  if (!listed || errors === undefined) return;
  const found = body.errors as ExpectedFault[];
  expect([...found].sort(byPlace)).toEqual(
    [...errors]
      .sort(byPlace)
      .map((fault) => expect.objectContaining({ detail: expect.stringMatching(/./), ...fault })),
  );
}

/** A fault of a body's field, as it is expected. */
export const fieldFault = (name: string, code: string): ExpectedFault => ({
  in: 'body',
  name,
  pointer: `/${name}`,
  code,
});

/** A fault of a parameter, as it is expected. */
export const queryFault = (name: string, code: string, more: object = {}): ExpectedFault => ({
  in: 'query',
  name,
  code,
  ...more,
});
