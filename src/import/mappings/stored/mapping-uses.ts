import { Injectable } from '@nestjs/common';
import type { Reads } from '../../../database/reads.js';

/** What names mappings, in modules above this one: a mapping that is named is not removed. */
@Injectable()
export class MappingUses {
  private readonly kinds: { kind: string; count: CountUses }[] = [];

  /**
   * @param kind the resource whose records name mappings
   * @param count how many of them name each
   */
  add(kind: string, count: CountUses): void {
    this.kinds.push({ kind, count });
  }

  /** By mapping: the kinds that name it, each with the number of its records. */
  async all(reads: Pick<Reads, 'rows'>): Promise<ReadonlyMap<string, readonly MappingUse[]>> {
    const uses = new Map<string, MappingUse[]>();
    for (const { kind, count } of this.kinds)
      for (const { name, total } of await count(reads)) {
        const use = { kind, count: Number(total) };
        uses.set(name, [...(uses.get(name) ?? []), use]);
      }
    return uses;
  }
}

/** How many records of a kind name a mapping. */
export interface MappingUse {
  readonly kind: string;
  readonly count: number;
}

type CountUses = (
  reads: Pick<Reads, 'rows'>,
) => Promise<readonly { readonly name: string; readonly total: number | string }[]>;
