import { MAX_REASON_LENGTH } from '../ledger/changes/change-set.js';
import { ValidBody } from '../platform/http/request/valid-body.js';
import { Choice, Text } from '../platform/validation/fields.js';
import { ParseError } from '../platform/validation/parsers.js';
import { bodyViolation } from '../platform/validation/validate-body.js';

/** The states that a maintainer can set. */
const SETTABLE_STATES = ['open', 'dismissed'] as const;

/** What a maintainer makes of a finding. */
export class FindingPatchDto {
  @Choice(SETTABLE_STATES, { required: true }) state!: (typeof SETTABLE_STATES)[number];
  @Text(MAX_REASON_LENGTH, { description: 'Why it is dismissed; everybody can read it' }) reason?: string;
}

/** The body of a request that sets the state of a finding: to dismiss it takes a reason. */
export const FindingPatch = () =>
  ValidBody(FindingPatchDto, {
    crossFieldRules({ state, reason = '' }) {
      if (state === 'dismissed' && reason === '')
        return [bodyViolation('reason', new ParseError('required', 'is required to dismiss a finding.'))];
      if (state === 'open' && reason !== '')
        return [bodyViolation('reason', new ParseError('read_only', 'is cleared by the state open.'))];
      return [];
    },
  });
