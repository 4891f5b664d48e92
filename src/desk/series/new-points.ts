import { Injectable } from '@nestjs/common';
import { Idempotency } from '../../idempotency/idempotency.js';
import { dayFromIso } from '../../lib/dates/calendar-date.js';
import { accountKey } from '../../platform/http/caller.js';
import type { Reply } from '../../platform/http/reply.js';
import { validateBody } from '../../platform/validation/validate-body.js';
import { dateViolations, NewPointDto, periodOf } from '../../prices/corrections/correction-batch.js';
import { DatapointsService } from '../../prices/datapoints.service.js';
import { formKey } from '../layout/desk-form.js';
import { storedRedirectTo } from '../session/redirection.js';
import type { DeskAuthor } from '../session/sent-form.js';
import { NEW_POINT_FIELDS } from './new-point-form.js';
import { newPointBody } from './point-edits.js';
import { deskSeriesAddress } from './series-address.js';

/** Adds prices of forms as the API does. */
@Injectable()
export class NewPoints {
  constructor(
    private readonly datapoints: DatapointsService,
    private readonly idempotency: Idempotency,
  ) {}

  /**
   * Adds a price to a series once, however often its form is sent.
   * @param address of the page that follows
   * @throws ValidationError, Duplicate, CalculatedPoint, JoinedPoint
   */
  async add(
    uuid: string,
    form: URLSearchParams,
    address: string,
    author: DeskAuthor,
    signal: AbortSignal,
  ): Promise<Reply> {
    const texts = Object.fromEntries(NEW_POINT_FIELDS.map((name) => [name, form.get(name) ?? '']));
    const body = validateBody(NewPointDto, newPointBody(texts), { crossFieldRules: dateViolations });
    const context = await this.datapoints.seriesContext(uuid, signal);
    const { serieId } = context;
    const key = { serieId, period: periodOf(body.periodicity), day: dayFromIso(body.date)! };
    const request = {
      key: formKey(form),
      account: accountKey(author.caller),
      path: deskSeriesAddress(uuid, {}, '/points'),
      body,
      changeSet: { kind: 'correction', reason: author.reason } as const,
      deadline: author.deadline,
    };
    return this.idempotency.once(request, async (transaction) => {
      await this.datapoints.add(transaction, { uuid, key }, body, context, author);
      return storedRedirectTo(address);
    });
  }
}
