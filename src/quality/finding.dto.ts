import { MAX_REASON_LENGTH } from '../ledger/changes/change-set.js';
import {
  FINDING_SCOPES,
  FINDING_STATES,
  SEVERITIES,
  type FindingScope,
  type FindingState,
  type Severity,
  type ShownMember,
} from '../ledger/findings/finding.js';
import { ValidBody } from '../platform/http/params.js';
import { ApiSchema, ArrayOf, Optional, OrNull, WithSchema } from '../platform/validation/field.js';
import { CalendarDate, Decimal, Id, Iso3, OneOf, Text, Uuid } from '../platform/validation/fields.js';
import { ParseError } from '../platform/validation/parsers.js';
import { bodyViolation } from '../platform/validation/validate-body.js';
import { type PeriodName, periodNames } from '../price-series/periodicity.js';
import { RULE_NAMES } from './rules/rule-table.js';

/** A finding, as responses show it. */
@ApiSchema()
export class Finding {
  @Id() id!: number;
  @OneOf(RULE_NAMES) rule!: string;
  @OneOf(SEVERITIES, { description: 'Likely wrong, worth a look, or information' }) severity!: Severity;
  @OneOf(FINDING_STATES, {
    description:
      'dismissed: by a maintainer; corrected, gone: no longer there, with and without a standing correction',
  })
  state!: FindingState;
  @OneOf(FINDING_SCOPES) scope!: FindingScope;
  @OrNull(Uuid({ description: 'Of a point or a series' })) uuid!: string | null;
  @OrNull(Iso3()) iso3_country_code!: string | null;
  @OrNull(OneOf(periodNames)) periodicity!: PeriodName | null;
  @OrNull(CalendarDate()) date!: string | null;
  @OrNull(Decimal({ description: 'The value that was found' })) value!: number | null;
  @OrNull(Decimal({ description: 'The value that would fit' })) expected!: number | null;
  @OrNull(Decimal({ description: 'The value divided by what it is compared with' }))
  ratio!: number | null;
  @OrNull(ArrayOf(WithSchema<ShownMember>({ type: 'object', additionalProperties: true })), {
    description: 'Of a group: its points, series (the first 600) or records; of a harvest: itself',
  })
  members!: ShownMember[] | null;
  @Text({ description: 'A sentence with the numbers in it' }) detail!: string;
  @OrNull(Id({ description: 'The change set that opened it last' })) change_set_id!: number | null;
  @Text({ description: 'Why it was dismissed; empty otherwise' }) reason!: string;
}

/** The states that a maintainer can set. */
const SETTABLE_STATES = ['open', 'dismissed'] as const;

/** What a maintainer makes of a finding. */
@ApiSchema({ limits: true })
export class FindingPatch {
  @OneOf(SETTABLE_STATES) state!: (typeof SETTABLE_STATES)[number];
  @Optional(Text(MAX_REASON_LENGTH, { description: 'Why it is dismissed; everybody can read it' }))
  reason?: string;
}

/** The body of a request that sets the state of a finding: to dismiss it takes a reason. */
export const FindingPatchBody = () =>
  ValidBody(FindingPatch, {
    crossFieldRules({ state, reason = '' }) {
      if (state === 'dismissed' && reason === '')
        return [bodyViolation('reason', new ParseError('required', 'is required to dismiss a finding.'))];
      if (state === 'open' && reason !== '')
        return [bodyViolation('reason', new ParseError('read_only', 'is cleared by the state open.'))];
      return [];
    },
  });
