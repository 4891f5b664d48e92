import type { FirstRow } from './reading/first-rows.js';
import { RejectedRow } from '../formats/batch.js';
import { FoundConvention } from '../formats/convention/convention.js';
import { ReplacedCells } from '../formats/replaced-values.js';
import { CreatedRecord } from './created-records.js';
import { OpenedFinding } from './opened-findings.js';
import { AttributeConflict } from './record-filling.js';
import { ApiSchema, ArrayOf, MapOf, Nested, Optional, OrNull } from '../../platform/validation/field.js';
import {
  CalendarDate,
  Count,
  Decimal,
  Flag,
  Id,
  Text,
  Uuid,
  WideCount,
} from '../../platform/validation/fields.js';

/** A correction that a new value of the source has replaced. */
export class SupersededCorrection {
  @Id() readonly id!: number;
  /** Null for a rate or an index. */
  @OrNull(Uuid()) readonly uuid!: string | null;
  @OrNull(Text()) readonly periodicity!: string | null;
  @CalendarDate() readonly date!: string;
  /** Path segment of the table; null for a price. */
  @OrNull(Text({ description: 'Of a rate or an index' })) readonly table!: string | null;
  @OrNull(Id()) readonly record_id!: number | null;
  @OrNull(Decimal({ description: 'The value that the maintainer had set; null for a removal' }))
  readonly value!: number | null;
  @OrNull(Decimal({ description: 'The value that the source had then; null for none' }))
  readonly base!: number | null;
  @Decimal({ description: 'The value that the source has now' }) readonly source_value!: number;
}

/** A row that the input begins with, as it is read. */
export class ImportedRow implements FirstRow {
  @WideCount() readonly line!: number;
  @OrNull(Text({ description: 'Path segment of the table; null for a price' }))
  readonly table!: string | null;
  @MapOf(Text(), {
    description: 'Its fields that have a value: columns of the CSV of prices, or fields of the table',
  })
  readonly values!: Readonly<Record<string, string>>;
}

/**
 * What an import did, or in a dry run would do. `read` is the sum of new, changed, unchanged,
 * skipped and rejected rows. Lists have the first of what is counted.
 */
@ApiSchema()
export class ImportReport {
  @Text() format!: string;
  @Optional(Count({ description: 'Version of the stored mapping that the format is' }))
  mapping_version?: number;
  @Text({ description: 'Name of the file, or a URL without its query; empty if unknown' })
  input!: string;
  @OrNull(Id({ description: 'The change set of what was stored; null in a dry run' }))
  change_set_id!: number | null;
  /** Of the input before decompression. */
  @Text({ description: 'SHA-256 of the input' }) digest!: string;
  @WideCount() bytes!: number;
  @Flag({ description: 'True if the import was only simulated and nothing was stored' })
  dry_run!: boolean;
  @OrNull(Nested(FoundConvention), {
    description: 'How a CSV input writes its values; null for JSON',
  })
  convention!: FoundConvention | null;
  @ArrayOf(Text(), { description: 'What the input has that is not used, in sentences' })
  notes!: string[];
  /** Rows stored before stay. */
  @OrNull(Text({ description: 'Why the import was aborted; null if it was not' }))
  error!: string | null;
  @WideCount({ description: 'Total number of rows: new, changed, unchanged, skipped and rejected' })
  read!: number;
  @WideCount() new!: number;
  @WideCount() changed!: number;
  @WideCount() unchanged!: number;
  /** Rows left out on purpose, by reason. */
  @MapOf(WideCount()) skipped!: Record<string, number>;
  @WideCount() rejected!: number;
  @MapOf(WideCount()) rejected_by_reason!: Record<string, number>;
  @ArrayOf(Nested(RejectedRow)) rejects!: RejectedRow[];
  @MapOf(WideCount(), {
    description: 'Numbers of the series of prices in the input, by the code of their country',
  })
  countries!: Record<string, number>;
  @Count({ description: 'Number of created series' }) series!: number;
  /** Reference records created for series, by table. */
  @MapOf(WideCount()) records!: Record<string, number>;
  /** Those with near ones before others. */
  @ArrayOf(Nested(CreatedRecord)) created_records!: CreatedRecord[];
  @WideCount({ description: 'Number of values rounded to 15 significant digits' }) rounded!: number;
  @WideCount({ description: 'Number of rates of which the reciprocals are stored' })
  inverted!: number;
  @WideCount({
    description:
      'Number of cells that were read as something else than what is written: NA as blank, 713 as 0713',
  })
  replaced!: number;
  /** Those that occur most first. */
  @ArrayOf(Nested(ReplacedCells)) replaced_values!: ReplacedCells[];
  @Count({
    description: 'Number of commodities whose stored HS code differs from the input and was kept',
  })
  hs_codes_kept!: number;
  @WideCount({ description: 'Number of empty fields of records that the input has filled' })
  filled!: number;
  @Count({
    description:
      'Number of fields of records for which the input has another value than the stored one, which was kept',
  })
  attribute_conflicts!: number;
  @ArrayOf(Nested(AttributeConflict)) conflicting_attributes!: AttributeConflict[];
  @WideCount({ description: 'Number of rows that left a correction as it is' })
  corrections_kept!: number;
  @WideCount({ description: 'Number of corrections whose value the source has now, too' })
  corrections_confirmed!: number;
  @WideCount({ description: 'Number of corrections that a new value of the source has replaced' })
  corrections_superseded!: number;
  @WideCount({
    description: 'Number of rows with another value for a rate or an index that another source has published',
  })
  kept_other_source!: number;
  @WideCount({
    description:
      'Number of series with stored prices that are newer than all of the same frequency in the input',
  })
  older_than_stored!: number;
  @OrNull(
    WideCount({
      description:
        'Number of new prices that are more than 90 days before the newest stored one of their series; null unless it is a dry run',
    }),
  )
  backdated!: number | null;
  /** Null in a dry run that is too large for one transaction, and after a failure. */
  @OrNull(MapOf(WideCount()), {
    description: 'Numbers of the findings that it has opened, by rule; null if they were not computed',
  })
  findings!: Record<string, number> | null;
  @ArrayOf(Nested(OpenedFinding)) first_findings!: OpenedFinding[];
  @ArrayOf(Nested(SupersededCorrection)) superseded_corrections!: SupersededCorrection[];
  /** Rejected rows and those left out are not among them. */
  @ArrayOf(Nested(ImportedRow), { description: 'The first rows of the input as they are read' })
  first_rows!: ImportedRow[];
  @Decimal() seconds!: number;
  @Decimal() rows_per_second!: number;
}
