import { Entity, Index } from 'typeorm';
import { RequiredTextColumn, TextColumn } from '../../database/columns.js';
import { ReferenceEntity } from '../base/reference.entity.js';

/** A stage of trade: retail, wholesale, export … */
@Entity('price_type')
@Index('uq_price_type', ['name'], { unique: true })
export class PriceType extends ReferenceEntity {
  @RequiredTextColumn(50) name!: string;
  @TextColumn(500) description!: string;
}
