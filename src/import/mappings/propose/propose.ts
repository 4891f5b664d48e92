import { PriceProposer } from './prices.js';
import { findLayout } from './table/layout.js';
import type { KnownNames, Proposal } from './proposal.js';
import { NoProposal } from './draft.js';
import { IndexProposer } from './indices/indices.js';
import { RateProposer } from './rates/rates.js';
import { TABLE_TEXTS } from '../table-texts.js';
import type { TableSample } from './table/sample.js';

/** Tables for which mappings are proposed. */
export const PROPOSABLE_TABLES = ['prices', 'fx', 'cpi'] as const;
export type ProposableTable = (typeof PROPOSABLE_TABLES)[number];

/** What people say of a table, which is not looked for then. */
interface Said {
  readonly table?: ProposableTable | undefined;
  /** Numbers of the rows of the header; none for a table without one. */
  readonly headerRows?: readonly number[] | undefined;
  readonly encoding?: string | undefined;
  /** The number of the column of the price. */
  readonly priceColumn?: number | undefined;
}

/** Proposes a mapping for a table. @throws NoProposal */
export function proposeMapping(sample: TableSample, known: KnownNames, said: Said = {}): Proposal {
  const layout = findLayout(sample.rows, said.headerRows);
  if (layout === null) throw new NoProposal('No column of the table has numbers.');
  const rates = () => new RateProposer(sample, known, layout, said.encoding);
  const indices = () => new IndexProposer(sample, known, layout, said.encoding);
  const prices = () => new PriceProposer(sample, known, layout, said.encoding);
  const proposers = { prices, fx: rates, cpi: indices };
  if (said.priceColumn !== undefined) return prices().propose(null, said.priceColumn);
  if (said.table !== undefined) return proposers[said.table]().propose(null);
  const ofRates = rates().signs();
  const ofIndices = indices().signs();
  const ask = (proposed: ProposableTable | null, because: string | null) => ({
    ...TABLE_QUESTION,
    proposed,
    because,
  });
  if (ofRates.isPossible && (ofRates.isLikely || ofIndices.isBare))
    try {
      return rates().propose(ask('fx', ofRates.because));
    } catch (error) {
      if (!(error instanceof NoProposal)) throw error;
    }
  const { spoken } = ofIndices;
  const because = spoken === null ? null : `It is in ${JSON.stringify(spoken.slice(0, MAX_TEXT))}.`;
  if (ofIndices.isLikely) return indices().propose(ask('cpi', because));
  const isOpen = ofRates.isPossible || spoken !== null || ofIndices.isBare;
  return prices().propose(isOpen ? ask(null, ofRates.because ?? because) : null);
}

const MAX_TEXT = 80;

/** The question which table it is, which comes first. */
const TABLE_QUESTION = {
  control: 'table',
  text: 'Does the file have prices of goods, exchange rates, or consumer price indices?',
  answers: PROPOSABLE_TABLES.map((value) => ({ value, label: TABLE_TEXTS[value] })),
};
