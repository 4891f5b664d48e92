import type { Column } from '../formats/listing.js';
import { mostRows } from '../formats/xlsx/xlsx.format.js';
import { RowStream } from '../http/reply.js';
import { QueryPairs } from '../validation/query-pairs.js';
import { RecordListing } from './record-listing.js';
import { listReply, type ListRequest } from './list-reply.js';

describe('the reply of a list', () => {
  const columns: Column[] = ['a', 'b'].map((name) => ({ name, type: 'integer' }));
  const records = (count: number) =>
    RecordListing.of(columns, Array<{ a: number }>(count).fill({ a: 1 }), 'all');
  const reply = (count: number, request: Partial<ListRequest> = {}) =>
    listReply(records(count), {
      format: 'xlsx',
      fields: null,
      path: '/',
      query: new QueryPairs(''),
      ...request,
    } as ListRequest);

  it('is an error where a workbook cannot have its rows, before anything of it is made', () => {
    const most = mostRows(2);
    expect(() => reply(most + 1)).toThrow(
      expect.objectContaining({
        violations: [expect.objectContaining({ code: 'too_many_items', max: most })],
      }),
    );
    // Fewer columns leave room for more rows.
    expect(reply(most + 1, { fields: ['a'] })).toBeInstanceOf(RowStream);
    expect(reply(most)).toBeInstanceOf(RowStream);
  });
});
