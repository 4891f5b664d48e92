import { Entity, Index } from 'typeorm';
import type { UnitDimension } from '../../lib/codes/measure-units.js';
import { NumberColumn, RequiredTextColumn, TextColumn } from '../../database/columns.js';
import { ReferenceEntity } from '../base/reference.entity.js';

/** A unit that prices refer to, named as published: `Kg`, `100 kg`, `0.9 Liter`. */
@Entity('measure_unit')
@Index('uq_measure_unit', ['name'], { unique: true })
export class MeasureUnit extends ReferenceEntity {
  @RequiredTextColumn(100) name!: string;
  @TextColumn(10, { default: 'other' }) dimension!: UnitDimension;
  /** Price × factor = price per kilogram (mass) or per litre (volume); null if unknown. */
  @NumberColumn({ nullable: true }) conversion_factor!: number | null;
}
