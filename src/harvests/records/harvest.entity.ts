import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import {
  InstantColumn,
  NumberColumn,
  RequiredTextColumn,
  TextColumn,
  VersionColumn,
} from '../../database/columns.js';

/** A source that is fetched by a schedule. */
@Entity('harvest')
@Index('uq_harvest', ['name'], { unique: true })
export class HarvestRow {
  @PrimaryGeneratedColumn({ type: 'integer' }) id!: number;
  @RequiredTextColumn(50) name!: string;
  /** With `{secret}` in place of its secret. */
  @RequiredTextColumn(2000) address!: string;
  @TextColumn(300) header!: string;
  /** Sealed, for the origin of the address; '' for none. */
  @TextColumn(1000) secret!: string;
  @RequiredTextColumn(50) format!: string;
  /** JSON of `HarvestOptions`. */
  @Column({ type: 'text' }) options!: string;
  @TextColumn(200) source!: string;
  @RequiredTextColumn(100) schedule!: string;
  @RequiredTextColumn(50) time_zone!: string;
  @TextColumn(200) owner!: string;
  @Column({ type: 'boolean', default: true }) enabled!: boolean;
  /** Null where it is off. */
  @InstantColumn({ nullable: true }) next_run_at!: string | null;
  /** What the server has said of the file that was imported last, and its SHA-256. */
  @TextColumn(500) etag!: string;
  @TextColumn(100) last_modified!: string;
  @TextColumn(64) digest!: string;
  /** That of the stored mapping by which it was read; null for a format of the service. */
  @Column({ type: 'integer', nullable: true }) mapping_version!: number | null;
  /** Percentages by which a file may differ before it is held. */
  @NumberColumn({ default: 20 }) shrink_limit!: number;
  @NumberColumn({ default: 2 }) reject_limit!: number;
  @NumberColumn({ default: 10 }) change_limit!: number;
  /** Durations of ISO 8601; '' for none. */
  @TextColumn(5) expected_interval!: string;
  @TextColumn(5) expected_lag!: string;
  /** `heldDigest` of the file that was held last; '' for none. */
  @TextColumn(80) held_digest!: string;
  @VersionColumn() version!: number;
}

/** A run of a harvest: one attempt to fetch and import its file. */
@Entity('harvest_run')
@Index('ix_harvest_run_harvest', ['harvest_id', 'id'])
@Index('ix_harvest_run_state', ['state', 'not_before'])
export class HarvestRunRow {
  @PrimaryGeneratedColumn({ type: 'integer' }) id!: number;
  @Column({ type: 'integer' }) harvest_id!: number;
  @RequiredTextColumn(11) state!: string;
  /** From 1; of a due time there are several where they fail. */
  @Column({ type: 'integer' }) attempt!: number;
  @InstantColumn() due_at!: string;
  @InstantColumn() not_before!: string;
  @InstantColumn({ nullable: true }) started_at!: string | null;
  @InstantColumn({ nullable: true }) ended_at!: string | null;
  @Column({ type: 'bigint', nullable: true }) bytes!: number | null;
  /** JSON of `HarvestCounts`. */
  @Column({ type: 'text', nullable: true }) counts!: string | null;
  @Column({ type: 'integer', nullable: true }) change_set_id!: number | null;
  @TextColumn(500) error!: string;
  /** JSON of `HeldRun`; null for a run that was not held. */
  @Column({ type: 'text', nullable: true }) held!: string | null;
  /** JSON of `Decision`. */
  @Column({ type: 'text', nullable: true }) decision!: string | null;

  @ManyToOne(() => HarvestRow, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'harvest_id', foreignKeyConstraintName: 'fk_harvest_run_harvest' })
  harvest?: Relation<HarvestRow>;
}
