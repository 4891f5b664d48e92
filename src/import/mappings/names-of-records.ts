import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { foldForSearch } from '../../lib/text/folding.js';
import { commodityNames } from '../../reference/commodity/commodity-names.js';
import { marketNames } from '../../reference/market/market-names.js';
import type { KnownNames } from './propose/proposal.js';

/** The names of the stored markets and commodities, by which columns are recognised. */
@Injectable()
export class NamesOfRecords {
  constructor(private readonly database: Database) {}

  async read(): Promise<KnownNames> {
    const reads = this.database.anyServer;
    const markets = new Map<string, Set<string>>();
    for (const [name, country] of await marketNames(reads)) {
      const key = foldForSearch(name);
      markets.set(key, (markets.get(key) ?? new Set()).add(country));
    }
    const commodities = new Set((await commodityNames(reads)).map(foldForSearch));
    const names = { market: markets, commodity: commodities };
    return {
      has: (table, name) => names[table].has(foldForSearch(name)),
      countriesOfMarket: (name) => [...(markets.get(foldForSearch(name)) ?? [])],
    };
  }
}
