import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { InstantColumn, RequiredTextColumn, TextColumn } from '../../database/columns.js';

/** One change to the data, before and after. Entries are never changed or deleted. */
@Entity('audit_log')
@Index('ix_audit_log_record', ['table_name', 'record_id'])
export class AuditLogEntry {
  @PrimaryGeneratedColumn({ type: 'integer' }) id!: number;
  @InstantColumn() at!: string;
  @Column({ type: 'integer', nullable: true }) account_id!: number | null;
  @TextColumn(64) token_id!: string;
  @TextColumn(64) request_id!: string;
  @RequiredTextColumn(50) table_name!: string;
  /** Price ids need more than 32 bits. */
  @Column({ type: 'bigint', nullable: true }) record_id!: number | null;
  @RequiredTextColumn(20) action!: string;
  @Column({ type: 'text', nullable: true }) before!: string | null;
  @Column({ type: 'text', nullable: true }) after!: string | null;
  /** The account's issuer and id at the identity provider; empty for accounts of this service. */
  @TextColumn(255) issuer!: string;
  @TextColumn(255) subject!: string;
  /** Null for changes that are not published, such as those of accounts. */
  @Column({ type: 'integer', nullable: true }) change_set_id!: number | null;
}
