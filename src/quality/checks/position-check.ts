import type { Transaction } from '../../ledger/unit-of-work.js';
import type { FoundFinding } from '../../ledger/findings/finding.js';
import { countryName } from '../../lib/codes/countries.js';
import {
  type PlacedMarket,
  placedMarketIds,
  readPlacedMarkets,
} from '../../reference/market/market-positions.js';
import { positionOutside, type Position } from '../rules/position-outside.js';
import type { ChangedData } from './changed-data.js';
import { subjectText, type Check } from './check.js';
import { foundFinding } from './found-finding.js';

/** Whether markets are in their countries. A subject is the id of a market. */
export class PositionCheck implements Check {
  readonly name = 'position';
  readonly attributes = { market: ['name', 'iso3_country_code', 'latitude', 'longitude'] };
  readonly follows = { series: 'none', tables: ['market'] } as const;
  readonly batch = 500;

  subjectsOf(changed: ChangedData): Promise<Iterable<string>> {
    return Promise.resolve(changed.recordIds(this, 'market').map(String));
  }

  async allSubjects(transaction: Transaction): Promise<Iterable<string>> {
    return (await placedMarketIds(transaction)).map(String);
  }

  async check(transaction: Transaction, ids: readonly string[]): Promise<FoundFinding[]> {
    if (ids.length === 0) return [];
    const markets = await readPlacedMarkets(transaction, ids.map(Number));
    return markets.flatMap((market) => this.findings(market));
  }

  private findings({ id, name, country, latitude, longitude }: PlacedMarket): FoundFinding[] {
    const outside = positionOutside(country, { latitude, longitude });
    if (outside === null) return [];
    const fitting = outside.fitting.map(shownPosition).join(' or ');
    const reason = outside.isZero
      ? ': 0, 0 mostly stands for a position that is not known'
      : fitting === ''
        ? ''
        : `; ${fitting} would fit`;
    return [
      foundFinding('position_outside', {
        subject: subjectText(this, String(id)),
        country,
        records: [{ table: 'Market', id, name }],
        detail: `The market ${name} is at ${shownPosition({ latitude, longitude })}, far outside of ${countryName(country)}${reason}.`,
      }),
    ];
  }
}

const shownPosition = ({ latitude, longitude }: Position) => `${latitude}, ${longitude}`;
