import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { Role } from '../../platform/http/routes.js';
import { InstantColumn, RequiredTextColumn } from '../../database/columns.js';

/** A user who may write. Accounts are disabled, never deleted: the audit trail refers to them. */
@Entity('account')
@Index('uq_account', ['username'], { unique: true })
export class Account {
  @PrimaryGeneratedColumn({ type: 'integer' }) id!: number;
  /** Case-sensitive. */
  @RequiredTextColumn(150) username!: string;
  /** Argon2id in the PHC string format, which includes the parameters and the salt. */
  @RequiredTextColumn(200) password_hash!: string;
  @RequiredTextColumn(20) role!: Role;
  @Column({ type: 'boolean', default: true }) enabled!: boolean;
  @InstantColumn() created_at!: string;
  @InstantColumn() password_changed_at!: string;
  @InstantColumn({ nullable: true }) last_login_at!: string | null;
}
