import { Entity, Index } from 'typeorm';
import { InstantColumn } from '../../../database/columns.js';
import { SavedMapping } from './saved-mapping.entity.js';

/** A mapping as it was until it was saved anew or removed. */
@Entity('mapping_version')
@Index('uq_mapping_version', ['name', 'version'], { unique: true })
export class MappingVersionRow extends SavedMapping {
  @InstantColumn() ended_at!: string;
}
