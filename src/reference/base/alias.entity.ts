import { Column, Entity, Index } from 'typeorm';
import { RequiredTextColumn, TextColumn } from '../../database/columns.js';
import { ReferenceEntity } from './reference.entity.js';

/** Another key under which imports find a record: a name it had, or one that a file uses. */
@Entity('alias')
@Index('uq_alias', ['table_name', 'iso3_country_code', 'admin_unit', 'admin_unit2', 'name'], { unique: true })
@Index('ix_alias_record', ['table_name', 'record_id'])
export class Alias extends ReferenceEntity {
  /** The table's name in the database. */
  @RequiredTextColumn(50) table_name!: string;
  @Column({ type: 'integer' }) record_id!: number;
  @RequiredTextColumn(200) name!: string;
  /** Of markets; empty for other records, as the two below. */
  @TextColumn(3) iso3_country_code!: string;
  @TextColumn(150) admin_unit!: string;
  @TextColumn(150) admin_unit2!: string;
}
