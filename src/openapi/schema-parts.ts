/* Schemas that others are made of. */

import { type Schema } from '../platform/validation/schema.js';

const described =
  (type: string) =>
  (description?: string): Schema =>
    description === undefined ? { type } : { type, description };
export const text = described('string');
export const integer = described('integer');
/** An integer that may pass 2^31: a point's id, a revision, a count of points, rows or bytes. */
export const wideInteger = (description?: string): Schema => ({
  ...described('integer')(description),
  format: 'int64',
});
export const flag = (description: string): Schema => ({ type: 'boolean', description });
export const numberOrNull = (description: string): Schema => ({ type: ['number', 'null'], description });
export const orNull = (schema: Schema): Schema => ({ ...schema, type: [schema.type, 'null'] });
export const date: Schema = { type: 'string', format: 'date' };
export const instant: Schema = { type: 'string', format: 'date-time' };
export const uuid: Schema = { type: 'string', format: 'uuid' };

export const periods: Schema = { type: 'string', enum: ['daily', 'weekly', 'monthly'] };
