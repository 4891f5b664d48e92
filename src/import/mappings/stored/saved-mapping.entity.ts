import { Column, PrimaryGeneratedColumn } from 'typeorm';
import { InstantColumn, RequiredTextColumn, TextColumn } from '../../../database/columns.js';

/** The columns of a mapping as it was saved once. */
export abstract class SavedMapping {
  @PrimaryGeneratedColumn({ type: 'integer' }) id!: number;
  @RequiredTextColumn(50) name!: string;
  /** Counts the saves of a name, on after a removal: none is used again. */
  @Column({ type: 'integer' }) version!: number;
  @TextColumn(200) title!: string;
  /** The format whose columns its fields are. */
  @RequiredTextColumn(50) table_name!: string;
  @InstantColumn() saved_at!: string;
  @Column({ type: 'integer' }) change_set_id!: number;
  /** JSON. A text has at most 65,535 bytes on servers: longer ones go on in the next column. */
  @Column({ type: 'text' }) content!: string;
  @Column({ type: 'text' }) content_end!: string;
}
