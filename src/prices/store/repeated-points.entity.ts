import { Entity, Column, PrimaryColumn } from 'typeorm';

/**
 * Points of a series that an import found stored as its input has them. They have no other trace:
 * who reverts the import that gave them their values must know which inputs repeat them.
 */
@Entity('repeated_points', { withoutRowid: true })
export class RepeatedPointsRow {
  @PrimaryColumn({ type: 'integer' }) serie_id!: number;
  @PrimaryColumn({ type: 'integer' }) change_set_id!: number;
  /** Day numbers of the first and the last of these points, in one transaction of the import. */
  @PrimaryColumn({ type: 'integer' }) first_day!: number;
  @Column({ type: 'integer' }) last_day!: number;
}
