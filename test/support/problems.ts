import type { Response } from 'supertest';

/** An expected violation: its location and code, and further members where they matter. */
export type ExpectedViolation = Readonly<Record<string, unknown>>;

export interface ExpectedProblem {
  status: number;
  code: string;
  /** All violations, in any order; 400 and 409 have the list even if it is empty. */
  errors?: readonly ExpectedViolation[];
  /** Further members of the body. */
  extra?: Readonly<Record<string, unknown>>;
}

const key = ({ pointer, name, code }: ExpectedViolation) => JSON.stringify([pointer ?? name, code]);
const byKey = (one: ExpectedViolation, other: ExpectedViolation) => (key(one) < key(other) ? -1 : 1);

/**
 * G1: asserts that an error response is problem details with exactly these members, and not cached.
 */
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
  const found = body.errors as ExpectedViolation[];
  expect([...found].sort(byKey)).toEqual(
    [...errors]
      .sort(byKey)
      .map((violation) => expect.objectContaining({ detail: expect.stringMatching(/./), ...violation })),
  );
}

/** An expected violation of a field of the body. */
export const fieldViolation = (name: string, code: string): ExpectedViolation => ({
  in: 'body',
  name,
  pointer: `/${name}`,
  code,
});

/** An expected violation of a query parameter. */
export const queryViolation = (name: string, code: string, more: object = {}): ExpectedViolation => ({
  in: 'query',
  name,
  code,
  ...more,
});
