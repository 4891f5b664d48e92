import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { RequiredTextColumn, SinceColumn } from '../database/columns.js';
import { Commodity } from '../reference/commodity/commodity.entity.js';
import { Market } from '../reference/market/market.entity.js';
import { MeasureUnit } from '../reference/measure-unit/measure-unit.entity.js';
import { PriceType } from '../reference/price-type/price-type.entity.js';
import { Source } from '../reference/source/source.entity.js';

const restricted = { onDelete: 'RESTRICT', onUpdate: 'RESTRICT', nullable: false } as const;
const named = (column: string) => ({
  name: `${column}_id`,
  foreignKeyConstraintName: `fk_price_serie_${column}`,
});

/** One commodity in one market, at one stage of trade, in one unit and currency, by one source. */
@Entity('price_serie')
@Index('uq_price_serie_uuid', ['uuid'], { unique: true })
@Index('ix_price_serie_revision', ['revision'])
@Index('ix_price_serie_commodity', ['commodity_id'])
@Index('ix_price_serie_price_type', ['price_type_id'])
@Index('ix_price_serie_market', ['market_id'])
@Index('ix_price_serie_source', ['source_id'])
@Index('ix_price_serie_measure_unit', ['measure_unit_id'])
@Index('ix_price_serie_status', ['status'])
export class PriceSerie {
  @PrimaryGeneratedColumn({ type: 'integer' }) id!: number;
  @RequiredTextColumn(36) uuid!: string;
  @Column({ type: 'integer' }) commodity_id!: number;
  @Column({ type: 'integer' }) price_type_id!: number;
  @Column({ type: 'integer' }) market_id!: number;
  @Column({ type: 'integer' }) source_id!: number;
  @Column({ type: 'integer' }) measure_unit_id!: number;
  @RequiredTextColumn(3) currency!: string;
  /**
   * The frequencies that the source itself derives from finer data, a bit `1 << period` for each.
   * Imported points of these frequencies are stored with `calculated` set.
   */
  @Column({ type: 'tinyint', default: 0 }) marked_periods!: number;
  /** Its place in `SERIES_STATUSES`. */
  @Column({ type: 'tinyint', default: 0 }) status!: number;
  /** The data revision that last changed this series or its points, for the catalogue. */
  @Column({ type: 'bigint', default: 0 }) revision!: number;

  @SinceColumn() since!: number;

  @ManyToOne(() => Commodity, restricted) @JoinColumn(named('commodity')) commodity?: Relation<Commodity>;
  @ManyToOne(() => PriceType, restricted) @JoinColumn(named('price_type')) price_type?: Relation<PriceType>;
  @ManyToOne(() => Market, restricted) @JoinColumn(named('market')) market?: Relation<Market>;
  @ManyToOne(() => Source, restricted) @JoinColumn(named('source')) source?: Relation<Source>;
  @ManyToOne(() => MeasureUnit, restricted)
  @JoinColumn(named('measure_unit'))
  measure_unit?: Relation<MeasureUnit>;
}
