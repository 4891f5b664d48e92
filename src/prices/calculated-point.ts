import { ApiError, type Violation } from '../platform/errors/api-error.js';

/** 409: the point is derived from finer data and has no stored row that could be changed. */
export class CalculatedPoint extends ApiError {
  /**
   * @param item index of the item in the body that has the point; null where the body is the point;
   * by default its id is in the address
   */
  constructor(item?: number | null) {
    const violation: Violation =
      item === undefined
        ? {
            in: 'path',
            name: 'id',
            code: 'calculated',
            detail: 'The point with this id is calculated from finer data.',
          }
        : {
            in: 'body',
            name: 'periodicity',
            pointer: item === null ? '/periodicity' : `/${item}/periodicity`,
            code: 'calculated',
            detail: 'The prices of this frequency are calculated from finer data.',
          };
    super('calculated', 'This price is calculated from finer data. Change those instead.', {
      errors: [violation],
    });
  }
}
