import { Controller, Get, Param, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { OperationResult } from '../../ledger/changes/operation-result.js';
import { type ApiError, NotFound } from '../../platform/errors/api-error.js';
import { infoOf } from '../../platform/http/request.js';
import type { Reply } from '../../platform/http/reply.js';
import { fieldsOf } from '../../platform/validation/field.js';
import { validateBody } from '../../platform/validation/validate-body.js';
import { PriceSeriesService } from '../../price-series/price-series.service.js';
import { joinViolations, SeriesMergeDto } from '../../prices/joins/series-merge.dto.js';
import { SeriesMerging } from '../../prices/joins/series-merging.js';
import { shownError } from '../layout/desk-form.js';
import { chosenReading, readingName } from '../layout/typed-numbers.js';
import { deskPage } from '../layout/desk-page.js';
import { DeskPages } from '../session/desk-pages.js';
import { CurrentSession, type DeskSession } from '../session/desk-session.js';
import { redirectTo } from '../session/redirection.js';
import { Sent, type SentForm } from '../session/sent-form.js';
import { ShownAgain } from '../session/unsaved-forms.js';
import { bodyOf } from '../tables/form-values.js';
import { deskSeriesTexts } from '../texts/series.js';
import { JOIN_FIELDS, joinPage, type JoinTexts } from './join-page.js';
import { deskSeriesAddress } from './series-address.js';

const joinFields = new Map(fieldsOf(SeriesMergeDto).map((field) => [field.name, field]));

/** The page on which a series is joined into another one. */
@Controller('desk/series/:uuid/join')
@DeskPages()
export class JoinPageController {
  constructor(
    private readonly series: PriceSeriesService,
    private readonly merging: SeriesMerging,
  ) {}

  /** @throws NotFound */
  @Get()
  async page(
    @Param('uuid') uuid: string,
    @Req() request: Request,
    @CurrentSession() session: DeskSession,
  ): Promise<Reply> {
    const { query } = infoOf(request);
    const given = (name: string) => query.all(name)[0];
    const sent = textsOf((name) =>
      name === 'factor' ? chosenReading(given(name) ?? '', given(readingName(name))) : given(name),
    );
    // Nothing is chosen yet, which is no error.
    if (sent.into === undefined) return this.show(uuid, sent, { result: null, error: null }, '', session);
    return this.show(uuid, sent, await this.tryOut(uuid, sent), '', session);
  }

  /** Joins once, however often the form is sent. @throws NotFound */
  @Post()
  @ShownAgain<JoinPageController>(async (page, { params, form, session, error }) => {
    const sent = textsOf((name) => form.get(name));
    const { result } = await page.tryOut(params.uuid!, sent);
    return page.show(params.uuid!, sent, { result, error }, form.get('reason') ?? '', session);
  })
  async join(
    @Param('uuid') uuid: string,
    @Sent() { form, session, requireAuthor }: SentForm,
  ): Promise<Reply> {
    const sent = textsOf((name) => form.get(name));
    try {
      const dto = dtoOf(sent);
      if (await this.isJoined(uuid, dto.into))
        return redirectTo(deskSeriesAddress(dto.into, { done: 'joined' }));
      const { change_set } = await this.merging.merge(uuid, dto, requireAuthor());
      return redirectTo(deskSeriesAddress(dto.into, { done: 'joined', change_set }));
    } catch (thrown) {
      const failed = { result: null, error: shownError(thrown, deskSeriesTexts.join.labels) };
      return this.show(uuid, sent, failed, form.get('reason') ?? '', session);
    }
  }

  /** Whether one of two series shows the prices of the other already. */
  private async isJoined(uuid: string, into: string): Promise<boolean> {
    const { catalogue } = await this.series.state(undefined);
    const row = catalogue.find(uuid);
    return row !== null && row === catalogue.find(into) && uuid.toLowerCase() !== into.toLowerCase();
  }

  /** What a join would change, or why it is not possible. */
  private async tryOut(uuid: string, sent: JoinTexts): Promise<Outcome> {
    try {
      return { result: await this.merging.tryOut(uuid, dtoOf(sent)), error: null };
    } catch (thrown) {
      return { result: null, error: shownError(thrown, deskSeriesTexts.join.labels) };
    }
  }

  private async show(
    uuid: string,
    sent: JoinTexts,
    { result, error }: Outcome,
    reason: string,
    session: DeskSession,
  ): Promise<Reply> {
    const { catalogue } = await this.series.state(undefined);
    const row = catalogue.find(uuid);
    if (row === null) throw new NotFound('There is no price series with this uuid.');
    const other = sent.into === undefined ? null : catalogue.find(sent.into.trim());
    const intoRow = other === row ? null : other;
    const view = { catalogue, row, intoRow, texts: sent, result, reason, error };
    return deskPage(joinPage(view, session), session, { status: error?.status ?? 200 });
  }
}

interface Outcome {
  readonly result: OperationResult | null;
  readonly error: ApiError | null;
}

/** The fields that are not empty. */
const textsOf = (value: (name: string) => string | null | undefined): JoinTexts =>
  Object.fromEntries(
    JOIN_FIELDS.map((name) => [name, value(name)?.trim()] as const).filter(([, text]) => text),
  );

/** @throws ValidationError */
const dtoOf = (sent: JoinTexts): SeriesMergeDto =>
  validateBody(SeriesMergeDto, bodyOf(joinFields, sent as Record<string, string>), {
    crossFieldRules: joinViolations,
  });
