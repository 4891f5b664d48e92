import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { NumberColumn, RequiredTextColumn, SinceColumn, TextColumn } from '../../database/columns.js';
import type { FindingScope, FindingState, Severity } from './finding.js';

/**
 * What a rule has found. Its key is the rule and what it is about, so it keeps its id and its state
 * for ever. Has no foreign keys: it outlives series and change sets.
 */
@Entity('finding')
@Index('uq_finding', ['subject', 'finding_key'], { unique: true })
@Index('ix_finding_change_set', ['change_set_id'])
export class FindingRow {
  @PrimaryGeneratedColumn({ type: 'integer' }) id!: number;
  /** What was checked when it was found: all findings about it are computed together. */
  @RequiredTextColumn(120) subject!: string;
  @RequiredTextColumn(64) finding_key!: string;
  @RequiredTextColumn(30) rule!: string;
  @Column({ type: 'varchar', length: 5 }) severity!: Severity;
  @TextColumn(7) scope!: FindingScope;
  @Column({ type: 'varchar', length: 9 }) state!: FindingState;
  /** Of a point or a series; null otherwise. */
  @Column({ type: 'integer', nullable: true }) serie_id!: number | null;
  @Column({ type: 'varchar', length: 3, nullable: true }) iso3_country_code!: string | null;
  /** 1 daily, 2 weekly, 3 monthly. */
  @Column({ type: 'tinyint', nullable: true }) period!: number | null;
  @Column({ type: 'integer', nullable: true }) day!: number | null;
  @NumberColumn({ nullable: true }) value!: number | null;
  @NumberColumn({ nullable: true }) expected!: number | null;
  @NumberColumn({ nullable: true }) ratio!: number | null;
  /** Of a group or a harvest, as JSON; null otherwise. */
  @Column({ type: 'text', nullable: true }) members!: string | null;
  @RequiredTextColumn(1000) detail!: string;
  /** The change set that opened it last; null in a dry run, which is rolled back. */
  @Column({ type: 'integer', nullable: true }) change_set_id!: number | null;
  /** Why a maintainer has dismissed it; '' otherwise. */
  @TextColumn(500) reason!: string;
  @SinceColumn() since!: number;
}

/** A series or a point that a finding is about. */
@Entity('finding_member', { withoutRowid: true })
@Index('ix_finding_member_finding', ['finding_id'])
export class FindingMemberRow {
  @PrimaryColumn({ type: 'integer' }) serie_id!: number;
  /** 0 where it is the series as a whole. */
  @PrimaryColumn({ type: 'integer' }) day!: number;
  @PrimaryColumn({ type: 'integer' }) finding_id!: number;
}
