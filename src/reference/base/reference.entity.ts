import { PrimaryGeneratedColumn } from 'typeorm';
import { VersionColumn } from '../../database/columns.js';

/** What the records of all reference tables have. */
export abstract class ReferenceEntity {
  @PrimaryGeneratedColumn({ type: 'integer' }) id!: number;
  @VersionColumn() version!: number;
}
