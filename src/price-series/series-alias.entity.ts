import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { SinceColumn } from '../database/columns.js';
import { PriceSerie } from './price-serie.entity.js';

/** Another uuid under which a series is found: one that an import continued it under. */
@Entity('series_alias', { withoutRowid: true })
@Index('ix_series_alias_serie', ['serie_id'])
export class SeriesAlias {
  @PrimaryColumn({ type: 'varchar', length: 36 }) uuid!: string;
  @Column({ type: 'integer' }) serie_id!: number;
  @SinceColumn() since!: number;

  @ManyToOne(() => PriceSerie, { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false })
  @JoinColumn({ name: 'serie_id', foreignKeyConstraintName: 'fk_series_alias_serie' })
  serie?: Relation<PriceSerie>;
}
