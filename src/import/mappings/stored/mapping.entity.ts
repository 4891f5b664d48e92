import { Entity, Index } from 'typeorm';
import { SavedMapping } from './saved-mapping.entity.js';

/** A mapping that maintainers have stored, as it is now. */
@Entity('mapping')
@Index('uq_mapping', ['name'], { unique: true })
export class MappingRow extends SavedMapping {}
