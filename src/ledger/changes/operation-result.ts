import { ApiSchema, MapOf, OrNull } from '../../platform/validation/field.js';
import { Id, WideCount } from '../../platform/validation/fields.js';

/** What an operation has changed, or would change. The document has its name of release 1.0.0. */
@ApiSchema({ name: 'ActResult' })
export class OperationResult {
  @OrNull(Id({ description: 'Id of the change set; null in a dry run' })) change_set!: number | null;
  @MapOf(WideCount()) counts!: Readonly<Record<string, number>>;
}
