import { ApiSchema, Optional } from '../platform/validation/field.js';
import { Text, WideCount } from '../platform/validation/fields.js';

/** Characters of a title. */
export const MAX_TITLE_LENGTH = 100;

/** The edition to be made. */
@ApiSchema({ name: 'EditionCreate', limits: true })
export class EditionDto {
  @Text(MAX_TITLE_LENGTH, { example: '2026-11', description: 'What it is called' })
  title!: string;
  @Optional(
    WideCount({ min: 1, description: 'The revision of the data that it freezes; the newest by default' }),
  )
  revision?: number;
}
