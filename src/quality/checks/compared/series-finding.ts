import type { FoundFinding, SeriesMember } from '../../../findings/finding.js';
import { RULES, type RuleName } from '../../rules/rule-table.js';
import type { SeriesFacts } from '../series-facts.js';

/** A finding about a series as a whole. */
export const seriesFinding = (
  rule: RuleName,
  subject: string,
  { id, uuid, country }: Pick<SeriesFacts, 'id' | 'uuid' | 'country'>,
  { detail, ratio = null }: { detail: string; ratio?: number | null },
): FoundFinding => ({
  ...foundOf(rule, subject, country, detail),
  about: uuid,
  ratio,
  series: [wholeSeries({ id, uuid })],
});

/** A finding about several series, or points of them. */
export const groupFinding = (
  rule: RuleName,
  subject: string,
  country: string,
  found: Pick<FoundFinding, 'about' | 'series' | 'detail'>,
): FoundFinding => ({
  ...foundOf(rule, subject, country, found.detail),
  about: found.about,
  series: found.series,
});

/** A series as a member of a finding. */
export const wholeSeries = ({ id, uuid }: Pick<SeriesFacts, 'id' | 'uuid'>): SeriesMember => ({
  serieId: id,
  uuid,
  day: null,
  value: null,
});

const foundOf = (rule: RuleName, subject: string, country: string, detail: string): FoundFinding => ({
  rule,
  severity: RULES[rule].severity,
  scope: RULES[rule].scope,
  subject,
  about: '',
  country,
  period: null,
  day: null,
  value: null,
  expected: null,
  ratio: null,
  series: [],
  detail,
});
