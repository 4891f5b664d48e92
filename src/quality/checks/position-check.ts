import { placeholders } from '../../database/sql.js';
import type { Transaction } from '../../ledger/unit-of-work.js';
import type { FoundFinding } from '../../ledger/findings/finding.js';
import { countryName } from '../../lib/codes/countries.js';
import { positionOutside, type Position } from '../rules/position-outside.js';
import type { ChangedData } from './changed-data.js';
import { subjectText, type Check } from './check.js';
import { foundFinding } from './found-finding.js';

interface MarketRow extends Position {
  readonly id: number;
  readonly name: string;
  readonly country: string;
}

/** Whether markets are in their countries. A subject is the id of a market. */
export class PositionCheck implements Check {
  readonly name = 'position';
  readonly attributes = { market: ['name', 'iso3_country_code', 'latitude', 'longitude'] };
  readonly batch = 500;

  subjectsOf(changed: ChangedData): Promise<Iterable<string>> {
    return Promise.resolve(changed.recordIds(this, 'market').map(String));
  }

  async allSubjects(transaction: Transaction): Promise<Iterable<string>> {
    const rows = await transaction.rows<{ id: number }>(
      'SELECT id FROM market WHERE latitude IS NOT NULL AND longitude IS NOT NULL ORDER BY id',
    );
    return rows.map(({ id }) => String(id));
  }

  async check(transaction: Transaction, ids: readonly string[]): Promise<FoundFinding[]> {
    if (ids.length === 0) return [];
    const rows = await transaction.rows<MarketRow>(
      'SELECT id, name, iso3_country_code AS country, latitude, longitude FROM market' +
        ` WHERE id IN (${placeholders(ids.length)}) AND latitude IS NOT NULL AND longitude IS NOT NULL ORDER BY id`,
      ids.map(Number),
    );
    return rows.flatMap((row) => this.findings(row));
  }

  private findings({ id, name, country, latitude, longitude }: MarketRow): FoundFinding[] {
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
