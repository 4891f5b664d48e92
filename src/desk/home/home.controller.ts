import { Controller, Get } from '@nestjs/common';
import { html } from '../../explorer/layout/html.js';
import type { Reply } from '../../platform/http/response/reply.js';
import { deskPage } from '../layout/desk-page.js';
import { CurrentSession, type DeskSession } from '../session/desk-session.js';
import { DeskPages } from '../session/desk-pages.js';
import { HOME } from '../session/return-address.js';
import { deskTexts } from '../texts.js';

/** The first page of the desk. */
@Controller('desk')
@DeskPages()
export class DeskHomeController {
  @Get()
  page(@CurrentSession() session: DeskSession): Reply {
    const { title } = deskTexts.home;
    return deskPage({ title, section: HOME, main: html`<h1>${title}</h1>` }, session);
  }
}
