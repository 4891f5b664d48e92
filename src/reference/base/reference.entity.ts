import { PrimaryGeneratedColumn } from 'typeorm';
import { SinceColumn, VersionColumn } from '../../database/columns.js';
import type { RevisionArea } from '../../ledger/revision/data-revision.js';
import type { FieldError } from './record-errors.js';

/**
 * Columns of all reference tables. The rules of a table that need more than one field are static
 * methods, because the API and the import both apply them.
 */
export abstract class ReferenceEntity {
  /** The area of the data revision that a change to the table increments. */
  static readonly area: RevisionArea = 'references';
  /** The column whose value maintainers correct, where a source has it; null for other tables. */
  static readonly correctedColumn: string | null = null;

  /** The fields that a price file fills where they are empty. */
  static readonly filledFields: readonly string[] = [];

  @PrimaryGeneratedColumn({ type: 'integer' }) id!: number;
  @VersionColumn() version!: number;
  @SinceColumn() since!: number;

  /** Defaults of a new record that depend on its other fields, if there are any. */
  static defaults(_values: object): Readonly<Record<string, unknown>> | undefined {
    return undefined;
  }

  /** Validates a whole record whose fields are valid by themselves. */
  static validate(_record: ReferenceEntity): FieldError[] {
    return [];
  }
}

/** The class of a reference table's entity. */
export type ReferenceEntityClass<E extends ReferenceEntity = ReferenceEntity> = (new () => E) &
  Pick<typeof ReferenceEntity, 'area' | 'correctedColumn' | 'filledFields' | 'defaults' | 'validate'>;
