import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../ledger/audit/audit-trail.js';
import { Environment } from '../config/environment.js';
import { Database } from '../database/database.js';
import type { FindingState } from '../ledger/findings/finding.js';
import { setFindingState } from '../ledger/findings/finding-store.js';
import { seriesWithFindings } from '../ledger/findings/stored-findings.js';
import { UnitOfWork } from '../ledger/unit-of-work.js';
import { Ended, NotFound } from '../platform/errors/api-error.js';
import { checkPreconditions, digestTag, type Preconditions } from '../platform/http/etag.js';
import type { Listing } from '../platform/formats/listing.js';
import type { Page, PageRequest, RequestedList } from '../platform/listing/page.js';
import type { QueryValues } from '../platform/validation/query-schema.js';
import { Criteria } from '../price-series/filters/criteria.js';
import { PriceSeriesService } from '../price-series/price-series.service.js';
import { recordChangeSet, type Author } from '../reference/base/base-reference.service.js';
import { pricedSeriesFilters } from '../prices/prices.parameters.js';
import type { Conditions } from '../database/newest-first.js';
import { countFindings, type FindingCount } from './finding-counts.js';
import {
  findFinding,
  findNeighbours,
  findingConditions,
  findingList,
  type FindingNeighbours,
  findingColumns,
  type findingQuery,
} from './finding-list.js';
import type { Finding, FindingPatch } from './finding.dto.js';

export type { FindingNeighbours };

type Filters = Omit<QueryValues<typeof findingQuery.parameters>, 'page' | 'page_size'>;

/** The entity tag of a finding, without quotes. */
export const findingTag = (finding: Finding): string => digestTag(JSON.stringify(finding));

/** Lists what rules have found, and keeps what maintainers make of it. */
@Injectable()
export class FindingsService {
  private readonly findings: ReturnType<typeof findingList>;

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly trail: AuditTrail,
    private readonly environment: Environment,
    private readonly series: PriceSeriesService,
  ) {
    this.findings = findingList(database);
  }

  /** @throws NotFound for a page past the last */
  async page(filters: Filters, request: PageRequest): Promise<Page<Finding>> {
    return this.findings.page(await this.conditionsOf(filters), request);
  }

  /** The requested list of findings. @throws NotFound for a page past the last */
  async list(filters: Filters, request: RequestedList): Promise<Listing> {
    return this.findings.list(findingColumns, await this.conditionsOf(filters), request);
  }

  /** @throws NotFound */
  async read(id: number): Promise<Finding> {
    const finding = await findFinding(this.database, id);
    if (finding === null) throw findingNotFound();
    return finding;
  }

  /** The state of a finding; null where there is none. */
  async stateOf(id: number): Promise<FindingState | null> {
    return (await findFinding(this.database, id))?.state ?? null;
  }

  /**
   * Dismisses a finding or opens it again; changes nothing where it is so already. The change set
   * has the reason of the dismissal unless the author gives another one.
   * @throws NotFound, Ended, PreconditionFailed, PreconditionRequired
   */
  async setState(
    id: number,
    { state, reason = '' }: FindingPatch,
    conditions: Preconditions,
    author: Author,
  ): Promise<Finding> {
    return this.unitOfWork.change(
      recordChangeSet({ ...author, reason: author.reason || reason }),
      async (transaction) => {
        const before = await findFinding(transaction, id);
        if (before === null) throw findingNotFound();
        checkPreconditions(conditions, () => findingTag(before), this.environment.strictWrites);
        if (before.state === 'corrected' || before.state === 'gone') throw new Ended(before.state);
        if (before.state === state && before.reason === reason) return before;
        const opens = state === 'open' && before.state !== 'open';
        const after = { ...before, state, reason };
        if (opens) after.change_set_id = await transaction.changeSetId();
        await setFindingState(transaction, id, { state, reason, changeSetId: after.change_set_id });
        const { caller, requestId } = author;
        const about = { table: 'finding', recordId: id, action: 'update', columns: AUDITED } as const;
        await this.trail.record(transaction, {
          caller,
          requestId,
          ...about,
          before: { ...before },
          after: { ...after },
        });
        return after;
      },
      author.deadline,
    );
  }

  /** The findings around one among those that match the filters, of which it need not be one. */
  async neighbours(filters: Filters, id: number): Promise<FindingNeighbours> {
    return findNeighbours(this.database, await this.conditionsOf(filters), id);
  }

  /** How many findings match the filters, by country, rule and state. */
  async counts(filters: Filters): Promise<FindingCount[]> {
    return countFindings(this.database, await this.conditionsOf(filters));
  }

  private async conditionsOf(filters: Filters): Promise<Conditions> {
    const criteria = Criteria.of(pricedSeriesFilters, filters);
    const serieIds = await this.series.matching(criteria, () => seriesWithFindings(this.database));
    return findingConditions(filters, serieIds);
  }
}

/** The columns that a maintainer changes. */
const AUDITED = ['state', 'reason'] as const;

export const findingNotFound = () => new NotFound('There is no such finding.');
