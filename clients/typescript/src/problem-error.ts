import type { components } from './api.js';

/** Problem details (RFC 9457), as the service sends them. */
export type Problem = components['schemas']['Problem'];

/**
 * A request that the service has rejected. `message` has the details of all violations; `problem`
 * is null where the reply was no problem details, as those of a proxy.
 */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';

  constructor(
    readonly status: number,
    readonly problem: Problem | null,
    readonly url: string,
  ) {
    const details = problem?.errors?.map(({ detail }) => detail) ?? [];
    const text = details.length > 0 ? details.join(' ') : (problem?.detail ?? 'no problem details');
    super(`${status} ${problem?.code ?? ''}: ${text}`.replace(' :', ':'));
  }

  /** Whether it rejects a parameter for the reason of a code, such as `unknown_parameter`. */
  rejects(parameter: string, code: string): boolean {
    return this.problem?.errors?.some((error) => error.name === parameter && error.code === code) ?? false;
  }

  /** The code of the problem, such as `invalid`; empty without problem details. */
  get code(): string {
    return this.problem?.code ?? '';
  }
}
