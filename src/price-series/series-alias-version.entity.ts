import { Column, Entity, PrimaryColumn } from 'typeorm';
import { SinceColumn } from '../database/columns.js';

/** Another uuid under which a series was found. Has no foreign key: the series may have gone. */
@Entity('series_alias_version', { withoutRowid: true })
export class SeriesAliasVersion {
  @PrimaryColumn({ type: 'varchar', length: 36 }) uuid!: string;
  /** The revision that removed it. */
  @PrimaryColumn({ type: 'integer' }) until!: number;
  @Column({ type: 'integer' }) serie_id!: number;
  @SinceColumn() since!: number;
}
