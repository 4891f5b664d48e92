import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { HarvestRunRow } from '../records/harvest.entity.js';

/** A part of the packed file of a run that is held, or of the report of its dry run. */
@Entity('held_file')
export class HeldFileRow {
  @PrimaryColumn({ type: 'integer' }) run_id!: number;
  @PrimaryColumn({ type: 'varchar', length: 6 }) name!: string;
  @PrimaryColumn({ type: 'integer' }) part!: number;
  /** Base64. */
  @Column({ type: 'text' }) content!: string;

  @ManyToOne(() => HarvestRunRow, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'run_id', foreignKeyConstraintName: 'fk_held_file_run' })
  run?: Relation<HarvestRunRow>;
}
