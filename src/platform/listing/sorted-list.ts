import { batchesOf } from '../../lib/collections/batches.js';
import { TimeSlice } from '../../lib/scheduling/time-slice.js';
import type { Sequence } from '../formats/chunks.js';
import { Page, pageBounds, type PageRequest } from './page.js';
import { memberOf, sortItems, type Sort, type SortedItems } from './sort.js';

/** Items read at a time: a millisecond or two of work. */
const ITEMS_PER_READ = 500;

/**
 * A stored list in the order of columns. Of all items only ids and the values of these columns are
 * held; those that are shown are read again by their ids.
 */
export class SortedList<Item extends { readonly id: number }> {
  /**
   * @param batches all items, in the order that the list has by itself
   * @param read the items that have some ids, in any order: those that have gone meanwhile are left
   * out
   */
  constructor(
    private readonly batches: Sequence<readonly Item[]>,
    private readonly sort: Sort,
    private readonly read: (ids: readonly number[]) => Promise<readonly Item[]>,
  ) {}

  /** @throws NotFound for a page past the last */
  async page(request: PageRequest): Promise<Page<Item>> {
    const { page, pageSize } = request;
    const { items: ids, count } = await this.ids(page * pageSize);
    const { offset } = pageBounds(request, count);
    const items: Item[] = [];
    for await (const batch of this.withIds(ids.slice(offset))) items.push(...batch);
    return new Page(count, items, page, pageSize);
  }

  /** All items, in batches. */
  async *all(): AsyncGenerator<Item[]> {
    yield* this.withIds((await this.ids()).items);
  }

  private ids(most?: number): Promise<SortedItems<number>> {
    return sortItems(this.batches, this.sort, memberOf, ({ id }) => id, most);
  }

  private async *withIds(ids: readonly number[]): AsyncGenerator<Item[]> {
    const timeSlice = new TimeSlice();
    for (const batch of batchesOf(ids, ITEMS_PER_READ)) {
      const byId = new Map((await this.read(batch)).map((item) => [item.id, item]));
      yield batch.flatMap((id) => byId.get(id) ?? []);
      await timeSlice.yield();
    }
  }
}
