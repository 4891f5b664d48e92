import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { NumberColumn, RequiredTextColumn, SinceColumn, TextColumn } from '../../database/columns.js';
import type { CorrectionState } from './correction.js';

/**
 * A point, rate or index that a maintainer has set, added or removed. Rows are never changed but
 * for how they end: a correction of a correction ends the first and has the same base. Has no
 * foreign key: it outlives series and records.
 */
@Entity('correction')
@Index('ix_correction_point', ['state', 'serie_id', 'period', 'day'], { where: "state = 'standing'" })
@Index('ix_correction_record', ['state', 'table_name', 'record_key'], {
  where: "state = 'standing' AND record_key <> ''",
})
export class CorrectionRow {
  @PrimaryGeneratedColumn({ type: 'integer' }) id!: number;
  @Column({ type: 'varchar', length: 10 }) state!: CorrectionState;
  /** The table's name in the database. */
  @RequiredTextColumn(50) table_name!: string;
  /** Of a point; null for a record. */
  @Column({ type: 'integer', nullable: true }) serie_id!: number | null;
  /** 1 daily, 2 weekly, 3 monthly; null for a record. */
  @Column({ type: 'tinyint', nullable: true }) period!: number | null;
  @Column({ type: 'integer' }) day!: number;
  /** Of a record, the last that it had; null for a point. */
  @Column({ type: 'integer', nullable: true }) record_id!: number | null;
  /** The values of a record's unique key as JSON; '' for a point. */
  @TextColumn(200) record_key!: string;
  /** Of a point: whether it is marked as calculated, by its source and as corrected. */
  @Column({ type: 'boolean', default: false }) calculated!: boolean;
  /** The source's value that is overruled; null where it has none. */
  @NumberColumn({ nullable: true }) base_value!: number | null;
  @Column({ type: 'varchar', length: 500, nullable: true }) base_comment!: string | null;
  /** The revision that gave the base. */
  @Column({ type: 'integer', default: 0 }) base_since!: number;
  /** Null where the maintainer has removed it. */
  @NumberColumn({ nullable: true }) value!: number | null;
  @Column({ type: 'varchar', length: 500, nullable: true }) comment!: string | null;
  @Column({ type: 'integer' }) change_set_id!: number;
  @SinceColumn() since!: number;
  /** The change set that ended it, also where the revert of that one lets it stand again. */
  @Column({ type: 'integer', nullable: true }) ended_change_set_id!: number | null;
  /** The revision that ended it; null while it stands. */
  @Column({ type: 'integer', nullable: true }) until!: number | null;
}
