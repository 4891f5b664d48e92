import { PrimaryGeneratedColumn } from 'typeorm';
import { VersionColumn } from '../../database/columns.js';

/** Columns of all reference tables. */
export abstract class ReferenceEntity {
  @PrimaryGeneratedColumn({ type: 'integer' }) id!: number;
  @VersionColumn() version!: number;
}
