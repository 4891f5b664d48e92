import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { InstantColumn, RequiredTextColumn, TextColumn } from '../../database/columns.js';
import { MAX_REASON_LENGTH } from './change-set.js';

/**
 * One operation that changed data: an import with all of its transactions, a write of a record, a
 * correction of a price. Its revisions are the rows of `revision` that refer to it.
 */
@Entity('change_set')
export class ChangeSet {
  @PrimaryGeneratedColumn({ type: 'integer' }) id!: number;
  @RequiredTextColumn(20) kind!: string;
  @RequiredTextColumn(20) state!: string;
  @InstantColumn() started_at!: string;
  @InstantColumn({ nullable: true }) ended_at!: string | null;
  /** Of an import: the file's name, or a URL without its query. */
  @TextColumn(255) input!: string;
  @TextColumn(50) format!: string;
  /** SHA-256 of the input, in hexadecimal digits. */
  @TextColumn(64) digest!: string;
  /** The source that an import was given. */
  @TextColumn(200) source!: string;
  @TextColumn(MAX_REASON_LENGTH) reason!: string;
  /** JSON. */
  @Column({ type: 'text', nullable: true }) counts!: string | null;
  /** The change set that this one reverts; null where it reverts none. */
  @Column({ type: 'integer', nullable: true }) reverts!: number | null;
  /** The change set that has reverted this one, and stands. */
  @Column({ type: 'integer', nullable: true }) reverted_by!: number | null;
}
