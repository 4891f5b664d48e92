import { Entity, Index } from 'typeorm';
import { RequiredTextColumn, TextColumn } from '../../database/columns.js';
import { FilledEntity } from '../base/filled.entity.js';

/** An organisation that publishes prices. */
@Entity('source')
@Index('uq_source', ['name'], { unique: true })
export class Source extends FilledEntity {
  static override readonly filledFields = ['url', 'license'];

  @RequiredTextColumn(200) name!: string;
  @TextColumn(500) url!: string;
  @TextColumn(500) license!: string;
}
