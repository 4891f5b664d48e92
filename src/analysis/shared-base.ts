import { Optional, OrNull } from '../platform/validation/field.js';
import { Text } from '../platform/validation/fields.js';

/** The base period of real prices that are put side by side. */
export const SharedBase = () =>
  Optional(
    OrNull(
      Text({
        description:
          'Base period that all real prices are in terms of; null without an index. Of real measures only.',
      }),
    ),
  );
