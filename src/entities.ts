import { AuditLogEntry } from './audit/audit-log.entity.js';
import { Account } from './auth/accounts/account.entity.js';
import { AuthAttempt } from './auth/sessions/auth-attempt.entity.js';
import { LoginSession } from './auth/sessions/login-session.entity.js';
import { RefreshToken } from './auth/sessions/refresh-token.entity.js';
import { DataRevisionRow } from './database/revision/data-revision.entity.js';
import { IdempotencyKeyRow } from './idempotency/idempotency-key.entity.js';
import { ImportLockRow } from './import/pipeline/import-lock.entity.js';
import { PriceSerie } from './price-series/price-serie.entity.js';
import { SeriesPeriod } from './price-series/series-period.entity.js';
import { Observation } from './prices/store/observation.entity.js';
import { Commodity } from './reference/commodity/commodity.entity.js';
import { Cpi } from './reference/cpi/cpi.entity.js';
import { FxRate } from './reference/fx-rate/fx-rate.entity.js';
import { Market } from './reference/market/market.entity.js';
import { MeasureUnit } from './reference/measure-unit/measure-unit.entity.js';
import { PriceType } from './reference/price-type/price-type.entity.js';
import { Source } from './reference/source/source.entity.js';

/** Every table of the service. */
export const entities = [
  PriceType,
  FxRate,
  Cpi,
  Market,
  Commodity,
  Source,
  MeasureUnit,
  PriceSerie,
  SeriesPeriod,
  Observation,
  Account,
  LoginSession,
  RefreshToken,
  AuthAttempt,
  AuditLogEntry,
  DataRevisionRow,
  IdempotencyKeyRow,
  ImportLockRow,
];
