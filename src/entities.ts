import { AuditLogEntry } from './audit/audit-log.entity.js';
import { Account } from './auth/account.entity.js';
import { AuthAttempt } from './auth/auth-attempt.entity.js';
import { LoginSession } from './auth/login-session.entity.js';
import { RefreshToken } from './auth/refresh-token.entity.js';
import { DataRevisionRow } from './database/data-revision.entity.js';
import { IdempotencyKeyRow } from './idempotency/idempotency-key.entity.js';
import { ImportLockRow } from './import/import-lock.entity.js';
import { PriceSerie } from './price-series/price-serie.entity.js';
import { SeriesPeriod } from './price-series/series-period.entity.js';
import { Observation } from './prices/observation.entity.js';
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
