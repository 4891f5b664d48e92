import { many, one, text, type Parameter } from '../../platform/validation/parsers.js';
import { QuerySchema, type QueryValues } from '../../platform/validation/query-schema.js';
import type { Column } from '../../platform/formats/listing.js';
import { listQuery } from '../../platform/listing/list-parameters.js';
import type { Sort } from '../../platform/listing/sort.js';
import { pageParameters } from '../../platform/listing/page.js';
import { foldText, markWords, searchableText, searchWords } from '../../lib/text/folding.js';
import { fieldsOf } from '../../platform/validation/field.js';
import { type AsOf, asOfParameter } from '../../ledger/revision/as-of.js';
import type { SqlValue } from '../../database/database.js';
import type { ReferenceDto } from './write-fields.js';
import { columnOf } from '../../platform/formats/columns.js';

/** Whether reads may ask for an earlier state: of values, as prices are, not of attributes. */
export const hasPast = ({ entity }: ReferenceDto): boolean => entity.area === 'rates';

/** The parsed query string of a list. */
export type ListParameters = QueryValues<Record<string, Parameter<unknown>>> & {
  page?: number;
  page_size?: number;
  as_of?: AsOf;
  sort?: Sort;
};

type FilterValues = readonly (string | number | boolean)[];

/** The filters of a list, as its query selects them. */
export interface ListFilters {
  /** Columns that must equal one of the values; evaluated by the database. */
  exact: readonly (readonly [column: string, values: readonly SqlValue[]])[];
  /**
   * The filters on free text, which compare case-folded and therefore outside the database, so that
   * every engine returns the same; null if there are none.
   */
  matchesText: ((record: Readonly<Record<string, unknown>>) => boolean) | null;
  /** Words that must all occur in the names of a record. */
  words: readonly string[];
}

/** The fields of a table's records as columns of a list. */
export const recordColumns = (dto: ReferenceDto): Column[] =>
  fieldsOf(dto).map((field) => ({ ...columnOf(field), name: dto.reads[field.name]! }));

/** The query string of a table's list: every read field as a filter, `search` and paging. */
export class ListQuery {
  readonly schema: QuerySchema<Record<string, Parameter<unknown>>>;
  private readonly folded: ReadonlySet<string>;
  private readonly filters: readonly string[];

  constructor(dto: ReferenceDto) {
    const fields = fieldsOf(dto).map((field) => ({ ...field, name: dto.reads[field.name] as string }));
    this.filters = fields.map(({ name }) => name);
    this.folded = new Set(fields.filter(({ kind }) => kind === 'text').map(({ name }) => name));
    const filters = fields.map(({ name, parser, kind }) => [
      name,
      many(
        parser!,
        `Only records whose ${name} is one of these values${kind === 'text' ? ', ignoring letter case' : ''}.`,
      ),
    ]);
    const schema = new QuerySchema<Record<string, Parameter<unknown>>>({
      ...Object.fromEntries(filters),
      search: one(
        text(),
        'Only records whose name has words that begin with each of these, ignoring letter case and accents.',
      ),
      ...(hasPast(dto) ? { as_of: asOfParameter } : {}),
      ...pageParameters,
    });
    this.schema = listQuery(schema, recordColumns(dto));
  }

  /** Extracts the filters from a parsed query. */
  filtersOf(query: ListParameters): ListFilters {
    const given = this.filters
      .map((name) => [name, query[name] as FilterValues | undefined] as const)
      .filter((pair): pair is [string, FilterValues] => pair[1] !== undefined);
    const texts = given
      .filter(([name]) => this.folded.has(name))
      .map(([name, values]) => [name, new Set(values.map((value) => foldText(String(value))))] as const);
    return {
      exact: given.filter(([name]) => !this.folded.has(name)),
      matchesText:
        texts.length === 0
          ? null
          : (record) => texts.every(([name, values]) => values.has(foldText(String(record[name])))),
      words: query.search === undefined ? [] : searchWords(query.search as string),
    };
  }
}

/** Whether each word is the beginning of one in the names. */
export function containAllWords(words: readonly string[], names: readonly string[]): boolean {
  const texts = names.map(searchableText);
  return words.every((word) => texts.some((text) => text.includes(markWords(word))));
}
