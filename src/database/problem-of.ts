import { Logger } from '@nestjs/common';
import {
  ApiError,
  Duplicate,
  InUse,
  OutcomeUnknown,
  ReferenceMissing,
  StorageUnavailable,
  Timeout,
  Unavailable,
} from '../common/errors/api-error.js';
import { driverErrorKind, type DriverErrorKind } from './driver-errors.js';
import { WriteQueueError } from './unit-of-work.js';

const logger = new Logger('Database');

/** The answer to each kind of refusal. Who knows more (which fields, which records) answers before it comes to this. */
const PROBLEMS: Record<DriverErrorKind, (error: Error) => ApiError> = {
  duplicate: () => new Duplicate([]),
  in_use: () => new InUse([]),
  reference_missing: () => new ReferenceMissing(),
  invalid: (error) => {
    logger.error(`The database refuses a value that has passed our own checks (${codeOf(error)}).`);
    return new ApiError('invalid', 'The database refuses a value of the request.', {
      errors: [],
      cause: error,
    });
  },
  busy: (error) => new Unavailable('Too many writes at the same time. Try again.', 1, error),
  storage: (error) => new StorageUnavailable(error),
  timeout: (error) => new Timeout(undefined, error),
  unavailable: (error) => new Unavailable(undefined, 1, error),
  misconfigured: (error) => {
    logger.error(
      `ALARM: the database is damaged, or is not the one this service is set up for (${codeOf(error)}).`,
    );
    return new Unavailable(undefined, 1, error);
  },
  outcome_unknown: (error) => new OutcomeUnknown(error),
};

/** The answer to an error of the database or of the write queue; null for anything else. */
export function toApiErrorFromDriver(error: unknown): ApiError | null {
  if (error instanceof WriteQueueError) {
    return new Unavailable('Too many writes are waiting. Try again.', 1, error);
  }
  const kind = driverErrorKind(error);
  return kind === null ? null : PROBLEMS[kind](error as Error);
}

/** The driver's code: its message could repeat what was sent. */
function codeOf(error: Error): string {
  const { driverError = error } = error as { driverError?: object };
  return String((driverError as { code?: unknown }).code);
}
