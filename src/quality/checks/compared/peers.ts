import type { FoundFinding } from '../../../findings/finding.js';
import { toSignificantDigits } from '../../../lib/numbers/significant-digits.js';
import { RULES } from '../../rules/rule-table.js';
import { seriesOffPeers } from '../../rules/off-peers.js';
import { seriesFinding } from './series-finding.js';
import { shown } from '../shown.js';
import type { GroupedSeries } from './read-groups.js';

const { series: AT_LEAST } = RULES.off_peers.thresholds;

/** The series whose prices are far from those of the same commodity elsewhere in the country. */
export function peerFindings(subject: string, group: readonly GroupedSeries[]): FoundFinding[] {
  return seriesOffPeers(group).map(({ series, ratio, months }) => {
    const { commodity, price_type, currency, country } = series;
    const detail =
      `In the median of ${months} months, the price per base unit is ${shown(ratio)} times the median of` +
      ` all series of ${commodity}, ${price_type}, in ${currency} in ${country} (at least ${AT_LEAST} a month).`;
    return seriesFinding('off_peers', subject, series, { detail, ratio: toSignificantDigits(ratio) });
  });
}
