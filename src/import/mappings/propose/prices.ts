import { askForFile, checkDuplicates, checkUnread } from './checks.js';
import { assignByContent, assignByHeader } from './columns/column-roles.js';
import { fillDown } from './columns/filled-cells.js';
import {
  askForKeys,
  findCountry,
  findSource,
  findTypes,
  leaveOutStatistics,
} from './columns/series-values.js';
import { findStatus } from './columns/status-values.js';
import { findShape, takePrice } from './columns/wide-columns.js';
import { findDate } from './dates/date-columns.js';
import { findPeriodicity } from './dates/frequency.js';
import { Draft } from './draft.js';
import type { Proposal, Question } from './proposal.js';
import { findEnd, leaveOutRows, readHeader } from './table/left-out-rows.js';
import { findMoney } from './values/currency-and-unit.js';
import { findNumbers } from './values/numbers.js';

/** Proposes a mapping for a table of prices. */
export class PriceProposer extends Draft {
  /**
   * @param table the question which table it is; null where it is known
   * @param priceColumn the number of the column of the price, where people say it
   */
  propose(table: Question | null, priceColumn?: number): Proposal {
    if (table !== null) this.ask(table);
    readHeader(this);
    leaveOutRows(this);
    this.readColumns();
    assignByHeader(this);
    const price = priceColumn === undefined ? undefined : this.columns[priceColumn - 1];
    if (price === undefined) findShape(this);
    else takePrice(this, price, 'It was chosen.');
    findDate(this);
    assignByContent(this);
    leaveOutStatistics(this);
    fillDown(this);
    findTypes(this);
    findMoney(this);
    findCountry(this);
    findSource(this);
    findStatus(this);
    askForKeys(this);
    findPeriodicity(this);
    findNumbers(this);
    checkDuplicates(this);
    findEnd(this);
    askForFile(this);
    checkUnread(this);
    return this.result();
  }
}
