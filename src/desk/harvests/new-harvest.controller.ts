import { Controller, Get, Post } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { HarvestDto } from '../../harvests/records/harvest.dto.js';
import { HarvestNameTaken, HarvestsService, nameTaken } from '../../harvests/records/harvests.service.js';
import { Idempotency } from '../../idempotency/idempotency.js';
import { MappingStore } from '../../import/mappings/stored/mapping-store.js';
import { accountKey } from '../../platform/http/caller.js';
import type { Reply } from '../../platform/http/reply.js';
import { recordChangeSet } from '../../reference/base/base-reference.service.js';
import { formKey } from '../layout/desk-form.js';
import { deskPage } from '../layout/desk-page.js';
import { DeskPages } from '../session/desk-pages.js';
import { CurrentSession, type DeskSession } from '../session/desk-session.js';
import { storedRedirectTo } from '../session/redirection.js';
import { ShownAgain } from '../session/unsaved-forms.js';
import { Sent, type SentForm } from '../session/sent-form.js';
import { harvestAddress, HARVESTS } from './harvest-address.js';
import { formError, harvestFormPage, readHarvest, type SentHarvest } from './harvest-form.js';

/** The form in which a harvest is created. */
@Controller('desk/harvests/new')
@DeskPages()
export class NewHarvestController {
  constructor(
    private readonly harvests: HarvestsService,
    private readonly mappings: MappingStore,
    private readonly idempotency: Idempotency,
  ) {}

  @Get()
  page(@CurrentSession() session: DeskSession): Promise<Reply> {
    return this.show(session, null);
  }

  /** Creates a harvest, once however often the form is sent. */
  @Post()
  @ShownAgain<NewHarvestController>((desk, unsaved) => desk.show(unsaved.session, unsaved))
  async create(@Sent() { form, session, requireAuthor }: SentForm): Promise<Reply> {
    try {
      const author = requireAuthor();
      const harvest = readHarvest(HarvestDto, form);
      const keyed = {
        key: formKey(form),
        account: accountKey(author.caller),
        path: HARVESTS,
        body: harvest,
        changeSet: recordChangeSet(author),
        deadline: author.deadline,
      };
      return await this.idempotency.once(keyed, async (transaction) => {
        const { id } = await this.harvests.create(transaction, harvest, author);
        return storedRedirectTo(harvestAddress(id, { done: 'created' }));
      });
    } catch (thrown) {
      const error = thrown instanceof HarvestNameTaken ? nameTaken(thrown, harvestAddress) : thrown;
      return this.show(session, { form, error: formError(error) });
    }
  }

  /** @param sent null for a blank form */
  private async show(session: DeskSession, sent: SentHarvest | null): Promise<Reply> {
    const form = sent?.form ?? new URLSearchParams();
    const tag = form.get('key') ?? randomUUID();
    const view = { harvest: null, tag, form, formats: await this.mappings.all(), error: sent?.error ?? null };
    return deskPage(harvestFormPage(view, session), session, { status: sent?.error.status ?? 200 });
  }
}
