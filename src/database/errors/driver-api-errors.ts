import { Logger } from '@nestjs/common';
import {
  ApiError,
  Duplicate,
  InUse,
  NewerSchema,
  OutcomeUnknown,
  ReferenceMissing,
  StorageUnavailable,
  Timeout,
  Unavailable,
} from '../../platform/errors/api-error.js';
import { driverErrorKind, type DriverErrorKind } from './driver-errors.js';
import { WriteQueueError } from '../write-queue.js';

const logger = new Logger('Database');

/** The default API error of each kind. Callers that know the fields or records throw their own. */
const API_ERRORS: Record<DriverErrorKind, (error: Error) => ApiError> = {
  duplicate: () => new Duplicate([]),
  in_use: () => new InUse([]),
  reference_missing: () => new ReferenceMissing(),
  invalid: (error) => {
    logger.error(`The database rejected a value that had passed validation (${driverCode(error)}).`);
    return new ApiError('invalid', 'The database rejected a value of the request.', {
      errors: [],
      cause: error,
    });
  },
  busy: (error) => new Unavailable('Too many writes at the same time. Try again.', 1, error),
  storage: (error) => new StorageUnavailable(error),
  timeout: (error) => new Timeout(undefined, error),
  unavailable: (error) => new Unavailable(undefined, 1, error),
  misconfigured: (error) => {
    logger.error(`ALARM: the database is damaged or does not belong to this service (${driverCode(error)}).`);
    return new Unavailable(undefined, 1, error);
  },
  outcome_unknown: (error) => new OutcomeUnknown(error),
  newer_schema: () => new NewerSchema(),
};

/** The API error for an error of the database or of the write queue; null for any other error. */
export function toApiErrorFromDriver(error: unknown): ApiError | null {
  if (error instanceof WriteQueueError) {
    return new Unavailable('Too many writes are waiting. Try again.', 1, error);
  }
  const kind = driverErrorKind(error);
  return kind === null ? null : API_ERRORS[kind](error as Error);
}

/** Only the driver's code: its message may contain request data. */
function driverCode(error: Error): string {
  const { driverError = error } = error as { driverError?: object };
  return String((driverError as { code?: unknown }).code);
}
