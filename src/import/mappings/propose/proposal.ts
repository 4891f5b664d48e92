import type { Mapping } from '../mapping.js';

/** A part of a mapping that a form has a control for: `fields.date.format`, `confirm.end`. */
export type Control = string;

/** Why a part of the proposed mapping is as it is. */
export interface Evidence {
  readonly control: Control;
  readonly text: string;
}

/** One of the possible answers to a question. */
export interface Answer {
  readonly value: string;
  readonly label: string;
}

/** What nothing in a file decides. It has to be answered before a file is read. */
export interface Question {
  readonly control: Control;
  readonly text: string;
  /** Empty where any text is an answer. */
  readonly answers: readonly Answer[];
  /** The answer that is probably right; null where none is. */
  readonly proposed: string | null;
  /** Why it probably is. */
  readonly because: string | null;
}

/** A column of the table, for people. */
export interface ProposedColumn {
  /** As mappings name it: its header, or its number where that is none or of several. */
  readonly ref: string | number;
  readonly header: string;
  /** Some of its values. */
  readonly examples: readonly string[];
  /** Whether it becomes rows. */
  readonly isUnpivoted: boolean;
}

/** A mapping that fits the sample of a table, as far as that shows it. */
export interface Proposal {
  /** Without what is asked. */
  readonly mapping: Mapping;
  readonly evidence: readonly Evidence[];
  readonly questions: readonly Question[];
  readonly columns: readonly ProposedColumn[];
}

/** Names of records that are stored, by which columns are recognised. */
export interface KnownNames {
  has(table: 'market' | 'commodity', name: string): boolean;
  /** The countries of the markets with a name; none for an unknown one. */
  countriesOfMarket(name: string): readonly string[];
}

/** Where nothing is stored. */
export const NOTHING_KNOWN: KnownNames = { has: () => false, countriesOfMarket: () => [] };
