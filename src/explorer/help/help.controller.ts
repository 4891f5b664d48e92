import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { infoOf } from '../../platform/http/request.js';
import { noParameters } from '../../platform/validation/query-schema.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { NoSuchPage } from '../layout/error-page.js';
import { pageReply } from '../layout/page.js';
import { texts } from '../texts.js';
import { helpPage, termPage, termTitle } from './help-page.js';
import { isTerm, nearTerms } from './near-terms.js';
import { termAddress } from './term.js';

/** What the words and signs of the pages mean. */
@Controller('help')
@ExplorerPages()
export class HelpController {
  @Get()
  all(@RequestQuery(noParameters) _: object, @Req() request: Request): Reply {
    return pageReply(helpPage(), infoOf(request));
  }

  /** @throws NoSuchPage for a word that is not explained, with those that are like it */
  @Get(':term')
  one(@Param('term') word: string, @RequestQuery(noParameters) _: object, @Req() request: Request): Reply {
    if (!isTerm(word)) throw noTerm(word);
    return pageReply(termPage(word), infoOf(request));
  }
}

const noTerm = (word: string) =>
  new NoSuchPage(texts.help.noTerm(word), [
    ...nearTerms(word).map((slug) => [termAddress(slug), termTitle(slug)] as const),
    ['/help', texts.help.all] as const,
  ]);
