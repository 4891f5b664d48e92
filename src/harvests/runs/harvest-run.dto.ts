import { columnsOf } from '../../platform/formats/columns.js';
import {
  ApiSchema,
  ArrayOf,
  MapOf,
  Nested,
  OrNull,
  schemaOf,
  WithSchema,
} from '../../platform/validation/field.js';
import { Count, Id, Instant, OneOf, Text, WideCount } from '../../platform/validation/fields.js';
import { HeldReason } from '../held/held-run.dto.js';

/** States of runs. */
const RUN_STATES = [
  'waiting',
  'running',
  'done',
  'unchanged',
  'failed',
  'interrupted',
  'held',
  'approved',
  'dismissed',
  'superseded',
] as const;
export type RunState = (typeof RUN_STATES)[number];

/** What was in the file of a run, and what became of its rows, as in the report of the import. */
@ApiSchema()
export class HarvestCounts {
  @WideCount({ description: 'Rows' }) readonly read!: number;
  @WideCount() readonly new!: number;
  @WideCount() readonly changed!: number;
  @WideCount() readonly unchanged!: number;
  @WideCount({ description: 'Rows left out on purpose' }) readonly skipped!: number;
  @WideCount() readonly rejected!: number;
  @MapOf(WideCount(), { description: 'Series of prices in the file, by country' })
  readonly countries!: Readonly<Record<string, number>>;
}

/** A run of a harvest, as responses show it. */
@ApiSchema({ name: 'HarvestRun' })
export class HarvestRunRecord {
  @Id() id!: number;
  @OneOf(RUN_STATES, {
    description:
      'unchanged: the source has no other file than the one that was imported or held last; interrupted: the process that ran it was killed; held: its file looks wrong, and waits for a decision; approved: it is to be imported anyway; superseded: a later run has taken its place',
  })
  state!: RunState;
  @Count({ description: 'From 1; a run that has failed is tried up to 4 times' }) attempt!: number;
  @Instant({ description: 'When it was due by the schedule, or asked for' }) due_at!: string;
  @Instant({ description: 'Before which it does not begin' }) not_before!: string;
  @OrNull(Instant()) started_at!: string | null;
  @OrNull(Instant()) ended_at!: string | null;
  @OrNull(WideCount({ description: 'Length of the file in bytes; null where none was fetched' }))
  bytes!: number | null;
  @WithSchema<HarvestCounts | null>({
    anyOf: [schemaOf(HarvestCounts), { type: 'null' }],
    description: 'Null where nothing was read',
  })
  counts!: HarvestCounts | null;
  @OrNull(Id({ description: 'The change set of what was imported' })) change_set_id!: number | null;
  @Text({ description: 'Why it has failed' }) error!: string;
  @ArrayOf(Nested(HeldReason), { description: 'Why it is held, or was' }) held!: readonly HeldReason[];
  @Text({ description: 'Who has had it imported anyway, or dismissed it' }) decided_by!: string;
  @Text({ description: 'Why, in their words' }) reason!: string;
}

/** The fields as columns; tables show the counts as JSON. */
export const runColumns = columnsOf(HarvestRunRecord);
