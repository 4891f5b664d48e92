import { Entity, Index, PrimaryColumn } from 'typeorm';
import { RequiredTextColumn } from '../../../database/columns.js';

/**
 * The groups of a listed series, which rules compare with each other. Those stored before a change
 * show which ones a series has left. Has no foreign keys: it is read after series are gone.
 */
@Entity('series_group', { withoutRowid: true })
@Index('ix_series_group_peers', ['peers'])
@Index('ix_series_group_place', ['place'])
@Index('ix_series_group_segment', ['segment'])
export class SeriesGroupRow {
  @PrimaryColumn({ type: 'integer' }) serie_id!: number;
  /** Country, commodity, type and currency. */
  @RequiredTextColumn(100) peers!: string;
  /** Market, commodity and type. */
  @RequiredTextColumn(100) place!: string;
  /** Country, type and currency. */
  @RequiredTextColumn(100) segment!: string;
}

/** A digest of the outline of a series' monthly points, which equal series have in common. */
@Entity('series_digest', { withoutRowid: true })
@Index('ix_series_digest', ['digest'])
export class SeriesDigestRow {
  @PrimaryColumn({ type: 'integer' }) serie_id!: number;
  /** '' where the series is too short to be compared. */
  @RequiredTextColumn(32) digest!: string;
}
