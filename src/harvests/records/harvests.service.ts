import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/environment.js';
import { Database, type SqlValue } from '../../database/database.js';
import { driverErrorKind } from '../../database/errors/driver-errors.js';
import { assignments, placeholders, quoteIdentifiers } from '../../database/sql.js';
import type { Reads } from '../../database/reads.js';
import { importFormats } from '../../import/formats/index.js';
import { MappingStore } from '../../import/mappings/stored/mapping-store.js';
import { AuditTrail } from '../../ledger/audit/audit-trail.js';
import { UnitOfWork, type Transaction } from '../../ledger/unit-of-work.js';
import { Clock, instantText } from '../../platform/clock/clock.js';
import {
  Duplicate,
  NotFound,
  PreconditionFailed,
  ValidationError,
  type Violation,
} from '../../platform/errors/api-error.js';
import { checkPreconditions, type Preconditions } from '../../platform/http/etag.js';
import { parseId, ParseError } from '../../platform/validation/parsers.js';
import { bodyViolation } from '../../platform/validation/validate-body.js';
import { type Author, recordChangeSet } from '../../reference/base/base-reference.service.js';
import { addressFault, filePathOf, sourceOrigin } from './harvest-address.js';
import {
  type CheckedHarvest,
  type HarvestDto,
  type HarvestOptions,
  type HarvestPatchDto,
  HarvestRecord,
  harvestViolations,
  namesSecret,
} from './harvest.dto.js';
import type { HarvestRow } from './harvest.entity.js';
import { HARVEST_LIMITS } from '../held/held-run.dto.js';
import { removeRuns, removeWaitingRuns, supersedeHeldRuns } from './removed-runs.js';
import { nextDueTime } from './schedule.js';
import { SealedSecrets } from './sealed-secrets.js';

/** Another harvest has the name. */
export class HarvestNameTaken extends Error {
  /** @param id of the other one; null where it has gone meanwhile */
  constructor(readonly id: number | null) {
    super('The name is taken.');
  }
}

/** What maintainers say of a harvest, with what is sealed. */
const OWN_COLUMNS = [
  'name',
  'address',
  'header',
  'format',
  'options',
  'source',
  'schedule',
  'time_zone',
  ...HARVEST_LIMITS,
  'expected_interval',
  'expected_lag',
  'owner',
  'enabled',
] as const satisfies readonly (keyof HarvestRow)[];
/** What the audit trail tells, of secrets only whether there is one, and whether it is another. */
const AUDITED_COLUMNS = [...OWN_COLUMNS, 'secret'];
/** Those that change what a file is read as: then it is fetched and imported again. */
const READING_COLUMNS = ['address', 'header', 'format', 'options', 'source'] as const;

const COLUMNS = quoteIdentifiers([
  'id',
  ...OWN_COLUMNS,
  'secret',
  'next_run_at',
  'etag',
  'last_modified',
  'digest',
  'mapping_version',
  'held_digest',
  'version',
]);

/** Harvests as records. A change is no change of the data, and makes no revision. */
@Injectable()
export class HarvestsService {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly trail: AuditTrail,
    private readonly environment: Environment,
    private readonly secrets: SealedSecrets,
    private readonly mappings: MappingStore,
    private readonly clock: Clock,
  ) {}

  /** All harvests, by name: as many as there are sources. */
  async list(): Promise<HarvestRecord[]> {
    const rows = await this.database.rows<HarvestRow>(`SELECT ${COLUMNS} FROM harvest ORDER BY name`);
    return rows.map(toHarvestRecord);
  }

  /** @param text an id or a name. @throws NotFound */
  read(text: string): Promise<HarvestRow> {
    return findHarvest(this.database, text);
  }

  /** @throws ValidationError, HarvestNameTaken */
  async create(transaction: Transaction, dto: HarvestDto, author: Author): Promise<HarvestRow> {
    const values = await this.valuesOf(transaction, dto, null);
    const columns = { ...values, etag: '', last_modified: '', digest: '' };
    const names = Object.keys(columns);
    const { insertId } = await transaction
      .execute(
        `INSERT INTO harvest (${quoteIdentifiers(names)}) VALUES (${placeholders(names.length)})`,
        Object.values(columns),
      )
      .catch((error: unknown) => rethrow(transaction, error, values.name));
    const after = await findHarvest(transaction, String(insertId));
    await this.record(transaction, 'create', null, after, author);
    return after;
  }

  /**
   * @throws NotFound, PreconditionFailed, PreconditionRequired, ValidationError, HarvestNameTaken
   */
  replace(text: string, dto: HarvestDto, conditions: Preconditions, author: Author): Promise<HarvestRow> {
    return this.write(text, () => dto, conditions, author);
  }

  /**
   * @throws NotFound, PreconditionFailed, PreconditionRequired, ValidationError, HarvestNameTaken
   */
  update(
    text: string,
    changes: HarvestPatchDto,
    conditions: Preconditions,
    author: Author,
  ): Promise<HarvestRow> {
    const merged = (before: HarvestRow): HarvestDto => {
      const { name, address, header, format, options, source } = toHarvestRecord(before);
      const { schedule, time_zone, owner, enabled } = before;
      return {
        ...{ name, address, header, format, source, schedule, time_zone, owner, enabled },
        ...expectationsOf(before),
        ...changes,
        options: { ...options, ...changes.options },
      };
    };
    return this.write(text, merged, conditions, author);
  }

  /** Removes a harvest with its runs. @throws NotFound, PreconditionFailed, PreconditionRequired */
  async remove(text: string, conditions: Preconditions, author: Author): Promise<void> {
    await this.unitOfWork.change(
      recordChangeSet(author),
      async (transaction) => {
        const before = await this.readChecked(transaction, text, conditions);
        await removeRuns(transaction, before.id);
        await transaction.execute('DELETE FROM harvest WHERE id = ?', [before.id]);
        await this.record(transaction, 'delete', before, null, author);
      },
      author.deadline,
    );
  }

  private write(
    text: string,
    change: (before: HarvestRow) => HarvestDto,
    conditions: Preconditions,
    author: Author,
  ): Promise<HarvestRow> {
    return this.unitOfWork.change(
      recordChangeSet(author),
      async (transaction) => {
        const before = await this.readChecked(transaction, text, conditions);
        const values = await this.valuesOf(transaction, change(before), before);
        const isSame = (names: readonly (keyof typeof values)[]) =>
          names.every((name) => values[name] === before[name]);
        if (isSame([...OWN_COLUMNS, 'secret'])) return before;
        const isReadSame = isSame(READING_COLUMNS);
        const reset = {
          ...(isReadSame ? {} : { etag: '', last_modified: '', digest: '' }),
          // By other limits, it is decided anew whether it is held.
          ...(isReadSame && isSame(HARVEST_LIMITS) ? {} : { held_digest: '' }),
        };
        const { next_run_at, ...others } = values;
        // What is due already stays so; the process that runs harvests may just be moving it on.
        const due = isSame(['schedule', 'time_zone', 'enabled']) ? {} : { next_run_at };
        const columns = { ...others, ...reset, ...due, version: before.version + 1 };
        const { affected } = await transaction
          .execute(`UPDATE harvest SET ${assignments(Object.keys(columns))} WHERE id = ? AND version = ?`, [
            ...(Object.values(columns) as SqlValue[]),
            before.id,
            before.version,
          ])
          .catch((error: unknown) => rethrow(transaction, error, values.name));
        if (affected === 0) throw new PreconditionFailed();
        if (!values.enabled) await removeWaitingRuns(transaction, before.id);
        if (!isReadSame) await supersedeHeldRuns(transaction, before.id);
        const after = await findHarvest(transaction, String(before.id));
        await this.record(transaction, 'update', before, after, author);
        return after;
      },
      author.deadline,
    );
  }

  /**
   * The columns of a harvest, all of which are checked together.
   * @throws ValidationError
   */
  private async valuesOf(transaction: Transaction, dto: HarvestDto, before: HarvestRow | null) {
    const { name, address, header = '', format, source = '', schedule, owner = '', enabled = true } = dto;
    const { shrink_limit = 20, reject_limit = 2, change_limit = 10 } = dto;
    const { expected_interval = '', expected_lag = '' } = dto;
    const limits = { shrink_limit, reject_limit, change_limit, expected_interval, expected_lag };
    const options = givenOptions(dto.options);
    const time_zone = dto.time_zone || 'UTC';
    const isAddress = addressFault(address) === null;
    const origin = isAddress ? sourceOrigin(address) : '';
    const isKept =
      dto.secret === undefined && isAddress && before !== null && sourceOrigin(before.address) === origin;
    const kept = isKept ? before.secret : '';
    const hasSecret = typeof dto.secret === 'string' || kept !== '';
    const checked: CheckedHarvest = {
      ...{ name, address, header, format, options, source, schedule, time_zone, owner, enabled },
      ...{ ...limits, hasSecret, secret: dto.secret },
    };
    const violations = [
      ...harvestViolations(checked, await this.isFormat(format, transaction)),
      ...this.settingViolations(checked),
    ];
    if (violations.length > 0) throw new ValidationError(violations);
    // One that has no place any more is not kept.
    const secret = !namesSecret(checked)
      ? ''
      : typeof dto.secret === 'string'
        ? this.secrets.seal(dto.secret, origin)
        : kept;
    const next = enabled ? nextDueTime(schedule, time_zone, this.clock.now()) : null;
    return {
      ...{ name, address, header, secret, format, options: JSON.stringify(options), source },
      ...{ schedule, time_zone, ...limits, owner, enabled },
      next_run_at: next === null ? null : instantText(next),
    } satisfies Record<string, SqlValue>;
  }

  /** Whether a name is one of a format of the service, or of a mapping that is stored. */
  private async isFormat(name: string, transaction: Transaction): Promise<boolean> {
    return Object.hasOwn(importFormats, name) || (await this.mappings.find(name, transaction)) !== null;
  }

  /** What the settings of the service do not allow. */
  private settingViolations({ address, header, secret }: CheckedHarvest): Violation[] {
    const violations: Violation[] = [];
    if (URL.canParse(address) && filePathOf(address) !== null && this.environment.harvestFilesFolder === null)
      violations.push(bodyViolation('address', NO_FOLDER));
    if (typeof secret === 'string') {
      if (!this.secrets.isAvailable) violations.push(bodyViolation('secret', NO_KEY));
      if (!namesSecret({ address, header })) violations.push(bodyViolation('secret', NO_PLACE));
    }
    return violations;
  }

  private async readChecked(
    transaction: Transaction,
    text: string,
    conditions: Preconditions,
  ): Promise<HarvestRow> {
    const before = await findHarvest(transaction, text);
    checkPreconditions(conditions, () => harvestTag(before), this.environment.strictWrites);
    return before;
  }

  private async record(
    transaction: Transaction,
    action: 'create' | 'update' | 'delete',
    before: HarvestRow | null,
    after: HarvestRow | null,
    { caller, requestId }: Author,
  ): Promise<void> {
    const isOther = before !== null && after !== null && before.secret !== after.secret;
    await this.trail.record(transaction, {
      ...{ caller, requestId, table: 'harvest', action },
      recordId: (after ?? before)!.id,
      columns: AUDITED_COLUMNS,
      before: before && { ...before, secret: secretInWords(before, false) },
      after: after && { ...after, secret: secretInWords(after, isOther) },
    });
  }
}

/** The entity tag of a harvest, without quotes. */
export const harvestTag = ({ version }: HarvestRow): string => String(version);

/** A harvest as responses show it. */
export function toHarvestRecord(row: HarvestRow): HarvestRecord {
  const { id, name, address, header, secret, format, options, source } = row;
  const { schedule, time_zone, owner, enabled, next_run_at } = row;
  return {
    ...{ id, name, address, header, has_secret: secret !== '', format },
    options: JSON.parse(options) as HarvestOptions,
    ...{ source, schedule, time_zone, ...expectationsOf(row), owner },
    ...{ enabled: Boolean(enabled), next_run_at },
  };
}

/** What is expected of the files of a harvest. */
const expectationsOf = ({
  shrink_limit,
  reject_limit,
  change_limit,
  expected_interval,
  expected_lag,
}: HarvestRow) => ({
  ...{ shrink_limit, reject_limit, change_limit, expected_interval, expected_lag },
});

/**
 * The harvest with an id or a name, which begins with a letter.
 * @throws NotFound
 */
export async function findHarvest(reads: Pick<Reads, 'rows'>, text: string): Promise<HarvestRow> {
  const id = parseId(text);
  const [row] = await reads.rows<HarvestRow>(
    `SELECT ${COLUMNS} FROM harvest WHERE ${Number.isNaN(id) ? 'name' : 'id'} = ?`,
    [Number.isNaN(id) ? text : id],
  );
  if (row === undefined) throw new NotFound('There is no such harvest.');
  return { ...row, enabled: Boolean(row.enabled) };
}

/** Without those that are null. */
const givenOptions = (options: HarvestOptions = {}): HarvestOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null && value !== undefined));

/** How many harvests each format reads. */
export const countHarvestsByFormat = (reads: Pick<Reads, 'rows'>) =>
  reads.rows<{ name: string; total: number | string }>(
    'SELECT format AS name, COUNT(*) AS total FROM harvest GROUP BY format',
  );

const secretInWords = ({ secret }: HarvestRow, isOther: boolean) =>
  secret === '' ? '' : isOther ? 'another one' : 'one';

async function rethrow(transaction: Transaction, error: unknown, name: string): Promise<never> {
  if (driverErrorKind(error) !== 'duplicate') throw error;
  // The snapshot of the transaction may be older than the other one; a locking read is current.
  const lock = transaction.embedded ? '' : ' LOCK IN SHARE MODE';
  const [other] = await transaction.rows<{ id: number }>(`SELECT id FROM harvest WHERE name = ?${lock}`, [
    name,
  ]);
  throw new HarvestNameTaken(other?.id ?? null);
}

/** The error of a name that another harvest has. @param addressOf the address of a harvest */
export const nameTaken = ({ id }: HarvestNameTaken, addressOf: (id: number) => string): Duplicate =>
  new Duplicate(['name'], id === null ? undefined : addressOf(id));

const NO_FOLDER = new ParseError(
  'invalid_choice',
  'must be http or https: the service has no HARVEST_FILES_DIR.',
);
const NO_KEY = new ParseError('invalid_choice', 'cannot be stored: the service has no SECRETS_KEY.');
const NO_PLACE = new ParseError(
  'contradiction',
  'has no place: write {secret} into the address or the header.',
);
