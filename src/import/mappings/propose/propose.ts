import { PriceProposer } from './prices.js';
import { findLayout } from './table/layout.js';
import type { KnownNames, Proposal } from './proposal.js';
import { NoProposal } from './draft.js';
import { RateProposer, TABLE_QUESTION } from './rates/rates.js';
import type { TableSample } from './table/sample.js';

/** Tables for which mappings are proposed. */
export type ProposableTable = 'prices' | 'fx';

/** What people say of a table, which is not looked for then. */
interface Said {
  readonly table?: ProposableTable | undefined;
  /** Numbers of the rows of the header; none for a table without one. */
  readonly headerRows?: readonly number[] | undefined;
  readonly encoding?: string | undefined;
}

/** Proposes a mapping for a table. @throws NoProposal */
export function proposeMapping(sample: TableSample, known: KnownNames, said: Said = {}): Proposal {
  const layout = findLayout(sample.rows, said.headerRows);
  if (layout === null) throw new NoProposal('No column of the table has numbers.');
  const rates = () => new RateProposer(sample, known, layout, said.encoding);
  const prices = () => new PriceProposer(sample, known, layout, said.encoding);
  if (said.table !== undefined) return (said.table === 'fx' ? rates() : prices()).propose(null);
  const { isPossible, isLikely, because } = rates().signs();
  if (!isPossible) return prices().propose(null);
  if (isLikely)
    try {
      return rates().propose({ ...TABLE_QUESTION, proposed: 'fx', because });
    } catch (error) {
      if (!(error instanceof NoProposal)) throw error;
    }
  return prices().propose({ ...TABLE_QUESTION, proposed: null, because });
}
