import { Column, Entity, Index } from 'typeorm';
import { countryName } from '../../lib/codes/countries.js';
import { NumberColumn, RequiredTextColumn, TextColumn } from '../../database/columns.js';
import { FilledEntity } from '../base/filled.entity.js';

/** A market where prices are collected, or the average of a country or region. */
@Entity('market')
@Index('uq_market', ['iso3_country_code', 'admin_unit', 'admin_unit2', 'name'], { unique: true })
export class Market extends FilledEntity {
  static override readonly filledFields = ['code', 'latitude', 'longitude', 'type', 'info'];

  @RequiredTextColumn(200) name!: string;
  @TextColumn(100) type!: string;
  /** The market's number or code at its source; not unique here. */
  @TextColumn(50) code!: string;
  @RequiredTextColumn(3) iso3_country_code!: string;
  @TextColumn(200) country_name!: string;
  @TextColumn(150) admin_unit!: string;
  @TextColumn(150) admin_unit2!: string;
  @NumberColumn({ nullable: true }) latitude!: number | null;
  @NumberColumn({ nullable: true }) longitude!: number | null;
  @TextColumn(2000) info!: string;
  /** True for a national or regional average. */
  @Column({ type: 'boolean', default: false }) regional_average!: boolean;

  /** The default of the country name is that of ISO 3166. */
  static override defaults({ iso3_country_code }: Partial<Market>) {
    return { country_name: countryName(iso3_country_code ?? '') };
  }
}
