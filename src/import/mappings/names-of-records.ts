import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { foldForSearch } from '../../lib/text/folding.js';
import { TableStatements } from '../../reference/base/table-statements.js';
import { Commodity } from '../../reference/commodity/commodity.entity.js';
import { Market } from '../../reference/market/market.entity.js';
import type { KnownNames } from './propose/proposal.js';

const COMMODITIES = new TableStatements(Commodity).selectColumns(['name'], '');
const MARKETS = new TableStatements(Market).selectColumns(['name', 'iso3_country_code'], '');

/** The names of the stored markets and commodities, by which columns are recognised. */
@Injectable()
export class NamesOfRecords {
  constructor(private readonly database: Database) {}

  async read(): Promise<KnownNames> {
    const reads = this.database.anyServer;
    const markets = new Map<string, Set<string>>();
    for (const [name, country] of await reads.arrays<[string, string]>(MARKETS, [])) {
      const key = foldForSearch(name);
      markets.set(key, (markets.get(key) ?? new Set()).add(country));
    }
    const rows = await reads.arrays<[name: string]>(COMMODITIES, []);
    const commodities = new Set(rows.map(([name]) => foldForSearch(name)));
    const names = { market: markets, commodity: commodities };
    return {
      has: (table, name) => names[table].has(foldForSearch(name)),
      countriesOfMarket: (name) => [...(markets.get(foldForSearch(name)) ?? [])],
    };
  }
}
