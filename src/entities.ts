import { LeaseEntity } from './database/lease.entity.js';
import { AuditLogEntry } from './ledger/audit/audit-log.entity.js';
import { Account } from './auth/accounts/account.entity.js';
import { Invitation } from './auth/invitations/invitation.entity.js';
import { AuthAttempt } from './auth/sessions/auth-attempt.entity.js';
import { LoginSession } from './auth/sessions/login-session.entity.js';
import { ProviderSession } from './auth/sessions/provider-session.entity.js';
import { RefreshToken } from './auth/sessions/refresh-token.entity.js';
import { CorrectionRow } from './ledger/corrections/correction.entity.js';
import { ChangeSet } from './ledger/changes/change-set.entity.js';
import { DataRevisionRow } from './ledger/revision/data-revision.entity.js';
import { RecordChange } from './ledger/changes/record-change.entity.js';
import { Revision } from './ledger/revision/revision.entity.js';
import { SeriesChange } from './ledger/changes/series-change.entity.js';
import { EditionLockRow, EditionRow } from './editions/edition.entity.js';
import { FindingMemberRow, FindingRow } from './ledger/findings/finding.entity.js';
import { HeldFileRow } from './harvests/held/held-file.entity.js';
import { HarvestRow, HarvestRunRow } from './harvests/records/harvest.entity.js';
import { IdempotencyKeyRow } from './idempotency/idempotency-key.entity.js';
import { MappingVersionRow } from './import/mappings/stored/mapping-version.entity.js';
import { MappingRow } from './import/mappings/stored/mapping.entity.js';
import { ImportLockRow } from './ledger/import-lock/import-lock.entity.js';
import { SeriesJoin } from './price-series/joins/series-join.entity.js';
import { PriceSerie } from './price-series/price-serie.entity.js';
import { SeriesAlias } from './price-series/series-alias.entity.js';
import { SeriesPeriodVersion } from './price-series/series-period-version.entity.js';
import { SeriesPeriod } from './price-series/series-period.entity.js';
import { MirrorRow } from './mirror/mirror.entity.js';
import { ObservationVersion } from './prices/store/observation-version.entity.js';
import { StoredObservation } from './prices/store/observation.entity.js';
import { RepeatedPointsRow } from './prices/store/repeated-points.entity.js';
import { SeriesDigestRow, SeriesGroupRow } from './quality/checks/compared/series-group.entity.js';
import { SeriesOutlier, SeriesStep } from './quality/checks/groups/marks.entity.js';
import { ReleasedPeriod } from './releases/released-period.entity.js';
import { Alias } from './reference/base/alias.entity.js';
import { RecordVersion } from './ledger/versions/record-version.entity.js';
import { referenceTables } from './reference/reference.module.js';

/** Every table of the service. */
export const entities = [
  ...referenceTables().map(({ dto }) => dto.entity),
  RecordVersion,
  Alias,
  PriceSerie,
  SeriesAlias,
  SeriesPeriod,
  SeriesPeriodVersion,
  SeriesJoin,
  StoredObservation,
  ObservationVersion,
  CorrectionRow,
  RepeatedPointsRow,
  ReleasedPeriod,
  FindingRow,
  FindingMemberRow,
  SeriesOutlier,
  SeriesStep,
  SeriesGroupRow,
  SeriesDigestRow,
  Account,
  LoginSession,
  RefreshToken,
  ProviderSession,
  Invitation,
  AuthAttempt,
  AuditLogEntry,
  DataRevisionRow,
  Revision,
  ChangeSet,
  SeriesChange,
  RecordChange,
  IdempotencyKeyRow,
  ImportLockRow,
  LeaseEntity,
  MappingRow,
  MappingVersionRow,
  HarvestRow,
  HarvestRunRow,
  HeldFileRow,
  MirrorRow,
  EditionRow,
  EditionLockRow,
];
