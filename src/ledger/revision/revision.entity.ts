import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { InstantColumn, RequiredTextColumn } from '../../database/columns.js';

/**
 * A committed state of the published data. Rows are written under the lock of `data_revision`, so
 * the numbers follow the order of the commits.
 */
@Entity('revision')
@Index('ix_revision_change_set', ['change_set_id'])
export class Revision {
  @PrimaryColumn({ type: 'bigint' }) number!: number;
  /** When it was committed; never before the revision before it. */
  @InstantColumn() at!: string;
  @Column({ type: 'integer' }) change_set_id!: number;
  /** Random: tells this revision from one with the same number in another history. */
  @RequiredTextColumn(8) mark!: string;
}
