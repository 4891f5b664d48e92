import { DataRevision1763700000001 } from './1763700000001-data-revision.js';
import { ReferenceTables1763700000002 } from './1763700000002-reference-tables.js';
import { PriceSeries1763700000003 } from './1763700000003-price-series.js';
import { Accounts1763700000004 } from './1763700000004-accounts.js';
import { Idempotency1763700000005 } from './1763700000005-idempotency.js';
import { ImportLock1763700000006 } from './1763700000006-import-lock.js';
import { OldestWriter1763700000007 } from './1763700000007-oldest-writer.js';
import { AuditSubject1763700000008 } from './1763700000008-audit-subject.js';
import { ChangeSets1763800000010 } from './1763800000010-change-sets.js';
import { History1763900000011 } from './1763900000011-history.js';
import { Corrections1763900000012 } from './1763900000012-corrections.js';
import { Aliases1763900000013 } from './1763900000013-aliases.js';
import { SeriesJoin1763900000014 } from './1763900000014-series-join.js';
import { Reverts1763900000015 } from './1763900000015-reverts.js';
import { Mirror1763900000016 } from './1763900000016-mirror.js';
import { SeriesAliasVersions1763900000017 } from './1763900000017-series-alias-versions.js';
import { Findings1764000000018 } from './1764000000018-findings.js';
import { SeriesSteps1764000000019 } from './1764000000019-series-steps.js';
import { SeriesGroups1764000000020 } from './1764000000020-series-groups.js';
import { RateSources1764000000022 } from './1764000000022-rate-sources.js';
import { Editions1764000000030 } from './1764000000030-editions.js';
import { ProviderSessions1764000000031 } from './1764000000031-provider-sessions.js';
import { JoinPlaces1764000000032 } from './1764000000032-join-places.js';
import { PartialCorrectionIndices1764000000033 } from './1764000000033-partial-correction-indices.js';
import { OutlineDigests1764000000034 } from './1764000000034-outline-digests.js';
import { CountryNames1764000000035 } from './1764000000035-country-names.js';
import { Invitations1764000000036 } from './1764000000036-invitations.js';
import { Leases1764000000037 } from './1764000000037-leases.js';
import { ReleasedPeriods1764100000041 } from './1764100000041-released-periods.js';
import { Mappings1764100000042 } from './1764100000042-mappings.js';
import { Harvests1764100000043 } from './1764100000043-harvests.js';
import { HeldRuns1764100000044 } from './1764100000044-held-runs.js';
import { HarvestAlarms1764100000045 } from './1764100000045-harvest-alarms.js';
import { SeriesStatus1764200000046 } from './1764200000046-series-status.js';
import { ForecastSeries1764300000047 } from './1764300000047-forecast-series.js';
import { ProvisionalPoints1764300000048 } from './1764300000048-provisional-points.js';
import { SeriesVersions1764400000049 } from './1764400000049-series-versions.js';

/** All migrations, oldest first. */
export const migrations = [
  DataRevision1763700000001,
  ReferenceTables1763700000002,
  PriceSeries1763700000003,
  Accounts1763700000004,
  Idempotency1763700000005,
  ImportLock1763700000006,
  OldestWriter1763700000007,
  AuditSubject1763700000008,
  ChangeSets1763800000010,
  History1763900000011,
  Corrections1763900000012,
  Aliases1763900000013,
  SeriesJoin1763900000014,
  Reverts1763900000015,
  Mirror1763900000016,
  SeriesAliasVersions1763900000017,
  Findings1764000000018,
  SeriesSteps1764000000019,
  SeriesGroups1764000000020,
  RateSources1764000000022,
  Editions1764000000030,
  ProviderSessions1764000000031,
  JoinPlaces1764000000032,
  PartialCorrectionIndices1764000000033,
  OutlineDigests1764000000034,
  CountryNames1764000000035,
  Invitations1764000000036,
  Leases1764000000037,
  ReleasedPeriods1764100000041,
  Mappings1764100000042,
  Harvests1764100000043,
  HeldRuns1764100000044,
  HarvestAlarms1764100000045,
  SeriesStatus1764200000046,
  ForecastSeries1764300000047,
  ProvisionalPoints1764300000048,
  SeriesVersions1764400000049,
];

/** The version of a schema: the number at the end of the name of its last migration. */
export const versionOf = (migration: string) => Number(migration.slice(-13));

/** The version of the schema that this release is made for. */
export const SCHEMA_VERSION = versionOf(migrations.at(-1)!.name);
