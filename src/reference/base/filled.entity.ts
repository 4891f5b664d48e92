import { TextColumn } from '../../database/columns.js';
import { ReferenceEntity } from './reference.entity.js';

/**
 * Columns of the tables whose empty fields are filled by price files: those that no maintainer has
 * written.
 */
export abstract class FilledEntity extends ReferenceEntity {
  /** Names of the fields that maintainers have written, even to empty; separated by commas. */
  @TextColumn(255) maintained_fields!: string;
}
