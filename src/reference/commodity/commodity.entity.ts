import { Column, Entity, Index } from 'typeorm';
import { RequiredTextColumn, TextColumn } from '../../database/columns.js';
import { FilledEntity } from '../base/filled.entity.js';

/** A commodity whose prices are published. */
@Entity('commodity')
@Index('uq_commodity', ['name'], { unique: true })
export class Commodity extends FilledEntity {
  static override readonly filledFields = ['category', 'hs_code'];

  @RequiredTextColumn(200) name!: string;
  /** Code of the Harmonized System, 2 to 12 digits; text, because leading zeros count. */
  @Column({ type: 'varchar', length: 12, nullable: true }) hs_code!: string | null;
  @TextColumn(100) category!: string;
}
