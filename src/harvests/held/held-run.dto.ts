import { ApiSchema } from '../../platform/validation/field.js';
import { OneOf, Text } from '../../platform/validation/fields.js';
import type { AuditedCaller } from '../../ledger/audit/audit-trail.js';
import type { HarvestRow } from '../records/harvest.entity.js';

/** Fields of a harvest with percentages that its files may not exceed unseen. */
export const HARVEST_LIMITS = ['shrink_limit', 'reject_limit', 'change_limit'] as const;

/** Why a run is held. */
@ApiSchema()
export class HeldReason {
  @OneOf(HARVEST_LIMITS, { description: 'The field of the harvest whose limit is exceeded' })
  readonly limit!: (typeof HARVEST_LIMITS)[number];
  @Text({ description: 'A sentence with the numbers in it' }) readonly detail!: string;
}

/** What identifies a file, and how it is read. */
export type FileIdentity = Pick<HarvestRow, 'etag' | 'last_modified' | 'digest' | 'mapping_version'>;

/** What a run that is held remembers, as JSON in its column `held`. */
export interface HeldRun {
  readonly reasons: readonly HeldReason[];
  /** What becomes that of the file that was imported last. */
  readonly file: FileIdentity;
}

/** What somebody has decided of a run that was held, as JSON in its column `decision`. */
export interface Decision {
  /** The name of the account. */
  readonly by: string;
  readonly reason: string;
  /** For the audit row of the import. */
  readonly caller: AuditedCaller;
  readonly requestId: string;
}

/** What a harvest remembers of the file that was held last, so that it is not held again. */
export const heldDigest = ({ digest, mapping_version }: FileIdentity): string =>
  `${digest} ${mapping_version ?? ''}`;
