import type { FoundFinding, SeriesMember } from '../../../ledger/findings/finding.js';
import type { RuleName } from '../../rules/rule-table.js';
import type { SeriesFacts } from '../series-facts.js';
import { foundFinding } from '../found-finding.js';

/** A finding about a series as a whole. */
export const seriesFinding = (
  rule: RuleName,
  subject: string,
  { id, uuid, country }: Pick<SeriesFacts, 'id' | 'uuid' | 'country'>,
  { detail, ratio = null }: { detail: string; ratio?: number | null },
): FoundFinding =>
  foundFinding(rule, { subject, country, about: uuid, ratio, series: [wholeSeries({ id, uuid })], detail });

/** A finding about several series, or points of them. */
export const seriesGroupFinding = (
  rule: RuleName,
  subject: string,
  country: string,
  found: Pick<FoundFinding, 'about' | 'series' | 'detail'>,
): FoundFinding => foundFinding(rule, { subject, country, ...found });

/** A series as a member of a finding. */
export const wholeSeries = ({ id, uuid }: Pick<SeriesFacts, 'id' | 'uuid'>): SeriesMember => ({
  serieId: id,
  uuid,
  day: null,
  value: null,
});
