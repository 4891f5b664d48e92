import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../ledger/unit-of-work.js';

/** What names mappings, in modules above this one: a mapping that is named is not removed. */
@Injectable()
export class MappingUses {
  private readonly kinds: { kind: string; count: CountUses }[] = [];

  /**
   * @param kind the resource whose records name mappings
   * @param count how many of them name one
   */
  add(kind: string, count: CountUses): void {
    this.kinds.push({ kind, count });
  }

  /** The kinds that name a mapping, each with the number of its records. */
  async of(name: string, transaction: Transaction): Promise<{ kind: string; count: number }[]> {
    const uses = [];
    for (const { kind, count } of this.kinds) uses.push({ kind, count: await count(name, transaction) });
    return uses.filter(({ count }) => count > 0);
  }
}

type CountUses = (name: string, transaction: Transaction) => Promise<number>;
