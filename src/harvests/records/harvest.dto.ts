import { encodingOf } from '../../import/containers/text-encoding.js';
import { DATE_ORDERS, type DateOrder } from '../../import/formats/convention/date-order.js';
import { DECIMAL_SIGNS } from '../../import/formats/convention/number-signs.js';
import { MAX_LENGTHS } from '../../import/formats/series.js';
import { acceptedFormats } from '../../import/import.parameters.js';
import { importMode } from '../../ledger/corrections/correction.js';
import type { Violation } from '../../platform/errors/api-error.js';
import { columnsOf } from '../../platform/formats/columns.js';
import { ApiSchema, Nested, Optional, OrNull } from '../../platform/validation/field.js';
import { Decimal, Flag, Id, Instant, Iso3, OneOf, Text, Verbatim } from '../../platform/validation/fields.js';
import { ParseError } from '../../platform/validation/parsers.js';
import { nestedViolation } from '../../platform/validation/validate-nested.js';
import { addressFault, headerFault, SECRET } from './harvest-address.js';
import { durationFault } from './expected-duration.js';
import { scheduleFault, timeZoneFault } from './schedule.js';

/** A share of a hundred: 100 allows everything. */
const Percent = (options: { description?: string } = {}) => Decimal({ atLeast: 0, atMost: 100, ...options });

const PERIODS = ['daily', 'weekly', 'monthly'] as const;

/** How the file of a harvest is imported: the options of imports. One that is null is not given. */
@ApiSchema({ limits: true })
export class HarvestOptions {
  @Optional(OrNull(Iso3())) country?: string | null;
  @Optional(OrNull(Text(MAX_LENGTHS.price_type))) price_type?: string | null;
  @Optional(OrNull(OneOf(PERIODS))) period?: (typeof PERIODS)[number] | null;
  @Optional(OrNull(OneOf(DECIMAL_SIGNS))) decimal?: (typeof DECIMAL_SIGNS)[number] | null;
  @Optional(OrNull(OneOf(DATE_ORDERS))) dates?: DateOrder | null;
  @Optional(OrNull(Flag())) invert?: boolean | null;
  @Optional(OrNull(Text(1000))) file?: string | null;
  @Optional(OrNull(Text(100))) sheet?: string | null;
  @Optional(OrNull(Text(50))) encoding?: string | null;
  @Optional(OrNull(Flag())) include_forecast?: boolean | null;
  @Optional(OrNull(Flag())) overrule_corrections?: boolean | null;
  @Optional(OrNull(Flag())) fill_only?: boolean | null;
  @Optional(OrNull(Flag())) replace?: boolean | null;
}

/** What maintainers say of a harvest. */
@ApiSchema({ name: 'HarvestCreate', limits: true })
export class HarvestDto {
  @Text(50, { description: 'Small letters and digits, with hyphens between them', example: 'mali-oma' })
  name!: string;
  @Text(2000, {
    description:
      'http, https, or a file below HARVEST_FILES_DIR: file:prices.csv. {secret} stands for the secret in its path or query',
    example: 'https://prices.example.org/monthly.csv',
  })
  address!: string;
  @Optional(Text(300, { description: 'A header with the secret: Authorization: Bearer {secret}' }))
  header?: string;
  @Optional(
    OrNull(Verbatim(500), {
      description:
        'Written and never read; left out to keep the stored one, null to remove it. It is removed when the origin of the address changes',
    }),
  )
  secret?: string | null;
  @Text(50, { description: 'A format of imports, or the name of a stored mapping' }) format!: string;
  @Optional(Nested(HarvestOptions, { description: 'Options of the import' })) options?: HarvestOptions;
  @Optional(Text(200, { description: 'Source of the data, where the file does not name it' }))
  source?: string;
  @Text(100, {
    description: 'When it is fetched: minute, hour, day of the month, month and day of the week, as in cron',
    example: '30 6 * * 1-5',
  })
  schedule!: string;
  @Optional(
    Text(50, { description: 'Time zone of the schedule; UTC unless given', example: 'Africa/Bamako' }),
  )
  time_zone?: string;
  @Optional(
    Percent({
      description:
        'Percentage of rows, series or countries that a file may have fewer than the one that was imported last, before its run is held; 20 unless given',
    }),
  )
  shrink_limit?: number;
  @Optional(Percent({ description: 'Percentage of rows that may be rejected; 2 unless given' }))
  reject_limit?: number;
  @Optional(
    Percent({
      description:
        'Percentage of the stored values in a file that it may change, and of its new prices that may be of long ago; 10 unless given',
    }),
  )
  change_limit?: number;
  @Optional(
    Text(5, {
      description: 'Time from one new file to the next, as a duration of ISO 8601; empty if not known',
      example: 'P1M',
    }),
  )
  expected_interval?: string;
  @Optional(Text(5, { description: 'How much later a new file may come before it is late', example: 'P10D' }))
  expected_lag?: string;
  @Optional(Text(200, { description: 'Who is asked about it' })) owner?: string;
  @Optional(Flag({ description: 'Whether the schedule is followed; true unless given' })) enabled?: boolean;
}

/** Fields of a harvest that maintainers change. */
@ApiSchema({ name: 'HarvestPatch', limits: true })
export class HarvestPatchDto implements Partial<HarvestDto> {
  @Optional(Text(50)) name?: string;
  @Optional(Text(2000)) address?: string;
  @Optional(Text(300)) header?: string;
  @Optional(OrNull(Verbatim(500))) secret?: string | null;
  @Optional(Text(50)) format?: string;
  @Optional(
    Nested(HarvestOptions, { description: 'Those to change; null removes one, others stay as they are' }),
  )
  options?: HarvestOptions;
  @Optional(Text(200)) source?: string;
  @Optional(Text(100)) schedule?: string;
  @Optional(Text(50)) time_zone?: string;
  @Optional(Percent()) shrink_limit?: number;
  @Optional(Percent()) reject_limit?: number;
  @Optional(Percent()) change_limit?: number;
  @Optional(Text(5)) expected_interval?: string;
  @Optional(Text(5)) expected_lag?: string;
  @Optional(Text(200)) owner?: string;
  @Optional(Flag()) enabled?: boolean;
}

/** A harvest, as responses show it. */
@ApiSchema({ name: 'Harvest' })
export class HarvestRecord {
  @Id() id!: number;
  @Text() name!: string;
  @Text({ description: 'With {secret} in place of the secret' }) address!: string;
  @Text() header!: string;
  @Flag({ description: 'Whether it has a secret, which is never shown' }) has_secret!: boolean;
  @Text() format!: string;
  @Nested(HarvestOptions) options!: HarvestOptions;
  @Text() source!: string;
  @Text() schedule!: string;
  @Text() time_zone!: string;
  @Percent() shrink_limit!: number;
  @Percent() reject_limit!: number;
  @Percent() change_limit!: number;
  @Text() expected_interval!: string;
  @Text() expected_lag!: string;
  @Text() owner!: string;
  @Flag() enabled!: boolean;
  @OrNull(Instant({ description: 'Null where it is off' })) next_run_at!: string | null;
}

/** The fields as columns; tables show the options as JSON. */
export const harvestColumns = columnsOf(HarvestRecord);

/** The fields that the service sets. */
export const READ_ONLY_FIELDS = ['has_secret', 'next_run_at'] as const;

/** The fields of a harvest that depend on each other, as they will be stored. */
export interface CheckedHarvest extends Omit<HarvestRecord, 'id' | 'has_secret' | 'next_run_at'> {
  /** Whether there is a secret that may be used. */
  readonly hasSecret: boolean;
  /** The one that is sent with the request, if there is one. */
  readonly secret?: string | null | undefined;
}

/**
 * What is wrong with a harvest, besides the types of its fields.
 * @param isFormat whether its format is one of the service or a mapping that is stored
 */
export function harvestViolations(harvest: CheckedHarvest, isFormat: boolean): Violation[] {
  const { name, address, header, options, schedule, time_zone, hasSecret } = harvest;
  const faults: [path: readonly string[], fault: ParseError | null][] = [
    [['name'], /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name) ? null : NO_NAME],
    [['address'], addressFault(address)],
    [['header'], headerFault(header)],
    [['format'], isFormat ? null : NO_FORMAT],
    [['options', 'encoding'], isEncoding(options.encoding) ? null : NO_ENCODING],
    [['schedule'], scheduleFault(schedule)],
    [['time_zone'], timeZoneFault(time_zone)],
    [['expected_interval'], durationFault(harvest.expected_interval)],
    [['expected_lag'], lagFault(harvest)],
  ];
  const { overrule_corrections: overrule, fill_only: fill } = options;
  if (importMode({ overrule_corrections: overrule ?? false, fill_only: fill ?? false }) === null)
    faults.push(
      [['options', 'overrule_corrections'], MODES_CONFLICT],
      [['options', 'fill_only'], MODES_CONFLICT],
    );
  if (header !== '' && address.startsWith('file:')) faults.push([['header'], NO_SERVER]);
  if (typeof harvest.secret === 'string' && !/^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/.test(harvest.secret))
    faults.push([['secret'], NOT_VISIBLE]);
  else if (namesSecret({ address, header }) && !hasSecret) faults.push([['secret'], SECRET_NEEDED]);
  return faults.flatMap(([path, fault]) => (fault === null ? [] : [nestedViolation(path, fault)]));
}

/** Whether the address or the header of a harvest has a place for its secret. */
export const namesSecret = ({ address, header }: Pick<CheckedHarvest, 'address' | 'header'>): boolean =>
  address.includes(SECRET) || header !== '';

/** A lag alone says nothing of when a file is late. */
const lagFault = ({ expected_interval: interval, expected_lag: lag }: CheckedHarvest) =>
  durationFault(lag) ?? (lag !== '' && interval === '' ? INTERVAL_NEEDED : null);

const isEncoding = (label: string | null | undefined) =>
  label === undefined || label === null || encodingOf(label) !== null;

const NO_FORMAT = new ParseError('invalid_choice', `must be ${acceptedFormats.words}.`, {
  allowed: acceptedFormats.allowed,
});
const NO_NAME = new ParseError(
  'invalid_format',
  'must be small letters and digits, with single hyphens between them, and begin with a letter.',
);
const NO_ENCODING = new ParseError(
  'invalid_choice',
  'must be the label of an encoding, such as windows-1251.',
);
const INTERVAL_NEEDED = new ParseError('contradiction', 'needs an expected_interval.');
const MODES_CONFLICT = new ParseError(
  'conflicting_fields',
  'excludes the other one of overrule_corrections and fill_only.',
);
const NO_SERVER = new ParseError('contradiction', 'must be empty where the address is a file.');
const NOT_VISIBLE = new ParseError('invalid_text', 'must be visible characters of ASCII.');
const SECRET_NEEDED = new ParseError(
  'required',
  'is required where {secret} stands in the address or the header; the stored one is for its own origin only.',
);
