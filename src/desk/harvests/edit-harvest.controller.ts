import { Controller, Get, Param, Post } from '@nestjs/common';
import { HarvestPatchDto } from '../../harvests/records/harvest.dto.js';
import {
  HarvestNameTaken,
  HarvestsService,
  harvestTag,
  nameTaken,
  toHarvestRecord,
} from '../../harvests/records/harvests.service.js';
import { MappingStore } from '../../import/mappings/stored/mapping-store.js';
import { PreconditionFailed } from '../../platform/errors/api-error.js';
import type { Reply } from '../../platform/http/reply.js';
import { deskPage } from '../layout/desk-page.js';
import { DeskPages } from '../session/desk-pages.js';
import { CurrentSession, type DeskSession } from '../session/desk-session.js';
import { redirectTo } from '../session/redirection.js';
import { Sent, type SentForm } from '../session/sent-form.js';
import { ShownAgain } from '../session/unsaved-forms.js';
import { harvestPagesTexts as texts } from '../texts/harvests.js';
import { harvestAddress } from './harvest-address.js';
import { formError, harvestFormPage, readHarvest, type SentHarvest, storedFields } from './harvest-form.js';

/** The form in which a harvest is changed. */
@Controller('desk/harvests/:id/edit')
@DeskPages()
export class EditHarvestController {
  constructor(
    private readonly harvests: HarvestsService,
    private readonly mappings: MappingStore,
  ) {}

  /** @throws NotFound */
  @Get()
  page(@Param('id') id: string, @CurrentSession() session: DeskSession): Promise<Reply> {
    return this.show(id, session, null);
  }

  /** Changes a harvest. @throws NotFound */
  @Post()
  @ShownAgain<EditHarvestController>((desk, unsaved) =>
    desk.show(unsaved.params.id!, unsaved.session, unsaved),
  )
  async save(@Param('id') id: string, @Sent() { form, session, requireAuthor }: SentForm): Promise<Reply> {
    try {
      const author = requireAuthor();
      const conditions = { ifMatch: [form.get('version') ?? ''], ifNoneMatch: null };
      const saved = await this.harvests.update(id, readHarvest(HarvestPatchDto, form), conditions, author);
      return redirectTo(harvestAddress(saved.id, { done: 'saved' }));
    } catch (thrown) {
      if (thrown instanceof PreconditionFailed)
        return this.show(id, session, { form: null, error: new PreconditionFailed(texts.form.changed) });
      const error = thrown instanceof HarvestNameTaken ? nameTaken(thrown, harvestAddress) : thrown;
      return this.show(id, session, { form, error: formError(error) });
    }
  }

  /** @param sent null to show what is stored. @throws NotFound */
  private async show(id: string, session: DeskSession, sent: SentHarvest | null): Promise<Reply> {
    const row = await this.harvests.read(id);
    const harvest = toHarvestRecord(row);
    const view = {
      harvest,
      tag: sent?.form?.get('version') ?? harvestTag(row),
      form: sent?.form ?? storedFields(harvest),
      formats: await this.mappings.all(),
      error: sent?.error ?? null,
    };
    return deskPage(harvestFormPage(view, session), session, { status: sent?.error.status ?? 200 });
  }
}
