import { Optional } from '../../platform/validation/field.js';
import { Id, Text } from '../../platform/validation/fields.js';
import type { WriteFields } from '../base/write-fields.js';
import { Source } from './source.entity.js';

export class SourceDto {
  static readonly entity = Source;
  /** Which read field each write field fills. */
  static readonly reads: WriteFields<SourceDto, Source> = {
    source_id: 'id',
    source_name: 'name',
    source_url: 'url',
    source_license: 'license',
  };

  @Optional(Id()) source_id?: number;
  @Text(200, { example: 'Ministry of Agriculture' }) source_name!: string;
  @Optional(Text(500)) source_url?: string;
  @Optional(Text(500)) source_license?: string;
}
