import { ApiError } from '../../platform/errors/api-error.js';

/** 409: the change set cannot be reverted. */
export class NotRevertible extends ApiError {
  constructor(detail: string) {
    super('not_revertible', detail, { errors: [] });
  }
}

/** 409: the change set has too many points for a request. */
export class RevertTooLarge extends ApiError {
  override readonly status = 409;
  override readonly title = 'Too large';

  constructor(id: number, points: number, limit: number) {
    super(
      'too_large',
      `The change set has changed ${points} points and records, and a request reverts ${limit} at most.` +
        ` Use the command npm run revert -- ${id}.`,
      { errors: [], extra: { max: limit } },
    );
  }
}
