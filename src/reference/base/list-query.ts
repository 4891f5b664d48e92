import { many, one, text, type Parameter } from '../../common/filtering/parsers.js';
import { QueryShape, type QueryValues } from '../../common/filtering/query-shape.js';
import { pageParameters } from '../../common/pagination/page.js';
import { foldForSearch, foldText, searchWords } from '../../common/text/folding.js';
import { fieldsOf } from '../../common/validation/fields.js';
import type { SqlValue } from '../../database/database.js';
import type { ReferenceDto } from './write-fields.js';

/** Values of a list's query. */
export type ListParameters = QueryValues<Record<string, Parameter<unknown>>> & {
  page?: number;
  page_size?: number;
};

type FilterValues = readonly (string | number | boolean)[];

/** Which records of a table are wanted. */
export interface ListFilters {
  /** Columns that must have one of some values, exactly: the database sees to them. */
  exact: readonly (readonly [column: string, values: readonly SqlValue[]])[];
  /** The rest, which compares texts folded, and so in the same way on every engine; null where there is nothing to ask. */
  keeps: ((record: Readonly<Record<string, unknown>>) => boolean) | null;
  /** All of these words must occur in the names of a record. */
  words: readonly string[];
}

/** The query string of a table's list: every read field as a filter, `search` and paging. */
export class ListQuery {
  readonly shape: QueryShape<Record<string, Parameter<unknown>>>;
  private readonly folded: ReadonlySet<string>;
  private readonly filters: readonly string[];

  constructor(dto: ReferenceDto) {
    const fields = fieldsOf(dto).map((field) => ({ ...field, name: dto.reads[field.name] as string }));
    this.filters = fields.map(({ name }) => name);
    this.folded = new Set(fields.filter(({ folded }) => folded).map(({ name }) => name));
    const filters = fields.map(({ name, parser, folded }) => [
      name,
      many(
        parser,
        `Keeps records whose ${name} is one of these${folded ? '; letter case does not matter' : ''}.`,
      ),
    ]);
    this.shape = new QueryShape<Record<string, Parameter<unknown>>>({
      ...Object.fromEntries(filters),
      search: one(
        text(),
        'Keeps records with each of these words in their name; case and accents do not matter.',
      ),
      ...pageParameters,
    });
  }

  /** The filters among the values of a query. */
  filtersOf(query: ListParameters): ListFilters {
    const given = this.filters
      .map((name) => [name, query[name] as FilterValues | undefined] as const)
      .filter((pair): pair is [string, FilterValues] => pair[1] !== undefined);
    const texts = given
      .filter(([name]) => this.folded.has(name))
      .map(([name, values]) => [name, new Set(values.map((value) => foldText(String(value))))] as const);
    return {
      exact: given.filter(([name]) => !this.folded.has(name)),
      keeps:
        texts.length === 0
          ? null
          : (record) => texts.every(([name, wanted]) => wanted.has(foldText(String(record[name])))),
      words: query.search === undefined ? [] : searchWords(query.search as string),
    };
  }
}

/** Whether each word occurs in one of the names. */
export function occur(words: readonly string[], names: readonly string[]): boolean {
  const folded = names.map(foldForSearch);
  return words.every((word) => folded.some((name) => name.includes(word)));
}
