import type { FoundFinding } from '../../../ledger/findings/finding.js';
import { toSignificantDigits } from '../../../lib/numbers/significant-digits.js';
import type { PeerComparison } from '../../rules/off-peers.js';
import { RULES } from '../../rules/rule-table.js';
import type { SeriesFacts } from '../series-facts.js';
import { shown } from '../shown.js';
import { seriesFinding } from './series-finding.js';

const { series: AT_LEAST } = RULES.off_peers.thresholds;

/** A series whose prices are far from those of the same commodity elsewhere in the country. */
export function peerFinding(
  subject: string,
  series: SeriesFacts,
  { ratio, months }: Pick<PeerComparison<unknown>, 'ratio' | 'months'>,
): FoundFinding {
  const { commodity, price_type, currency, country } = series;
  const detail =
    `In the median of ${months} months, the price per base unit is ${shown(ratio)} times the median of` +
    ` all series of ${commodity}, ${price_type}, in ${currency} in ${country} (at least ${AT_LEAST} a month).`;
  return seriesFinding('off_peers', subject, series, { detail, ratio: toSignificantDigits(ratio) });
}
