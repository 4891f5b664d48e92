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
import { findShape } from './columns/wide-columns.js';
import { findDate } from './dates/date-columns.js';
import { findPeriodicity } from './dates/frequency.js';
import { Draft } from './draft.js';
import type { Proposal, Question } from './proposal.js';
import { findEnd, leaveOutRows, readHeader } from './table/left-out-rows.js';
import { findMoney } from './values/currency-and-unit.js';
import { findNumbers } from './values/numbers.js';

/** Proposes a mapping for a table of prices. */
export class PriceProposer extends Draft {
  /** @param table the question which table it is; null where it is known */
  propose(table: Question | null): Proposal {
    if (table !== null) this.ask(table);
    readHeader(this);
    leaveOutRows(this);
    this.readColumns();
    assignByHeader(this);
    findShape(this);
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
