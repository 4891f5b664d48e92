import { Controller, Get, Param, Req } from '@nestjs/common';
import type { Request } from 'express';
import { RequestQuery } from '../../platform/http/params.js';
import type { Reply } from '../../platform/http/reply.js';
import { infoOf } from '../../platform/http/request.js';
import { noParameters } from '../../platform/validation/query-schema.js';
import { ExplorerPages } from '../layout/explorer-page.js';
import { NoSuchPage, shortened } from '../layout/error-page.js';
import { pageReply } from '../layout/page.js';
import { texts } from '../texts.js';
import { Guides, guideAddress, isGuide } from './guides.js';
import { guidePage, helpPage, termPage, termTitle } from './help-page.js';
import { isTerm, nearTerms } from './near-terms.js';
import { termAddress } from './term-address.js';

/** What the words and signs of the pages mean, and guides. */
@Controller('help')
@ExplorerPages()
export class HelpController {
  constructor(private readonly guides: Guides) {}

  @Get(['', 'guides'])
  all(@RequestQuery(noParameters) _: object, @Req() request: Request): Reply {
    return pageReply(helpPage(this.guides), infoOf(request));
  }

  @Get('guides/:name')
  guide(
    @Param('name') name: string,
    @RequestQuery(noParameters) _: object,
    @Req() request: Request,
  ): Promise<Reply> {
    return this.guideReply(name, request);
  }

  /** A page of a guide that has several. */
  @Get('guides/:guide/:page')
  pageOfGuide(
    @Param('guide') guide: string,
    @Param('page') page: string,
    @RequestQuery(noParameters) _: object,
    @Req() request: Request,
  ): Promise<Reply> {
    return this.guideReply(`${guide}/${page}`, request);
  }

  /** @throws NoSuchPage for a word that is not explained, with those that are like it */
  @Get(':term')
  one(@Param('term') word: string, @RequestQuery(noParameters) _: object, @Req() request: Request): Reply {
    if (!isTerm(word)) throw noTerm(word);
    return pageReply(termPage(word, this.guides), infoOf(request));
  }

  /** @throws NoSuchPage for another name, and where the documents are not there */
  private async guideReply(name: string, request: Request): Promise<Reply> {
    const info = infoOf(request);
    if (!isGuide(name) || !this.guides.has(name)) throw noGuide(name, this.guides);
    return pageReply(guidePage(name, await this.guides.read(name), info.origin), info);
  }
}

const noTerm = (word: string) =>
  new NoSuchPage(texts.help.noTerm(shortened(word)), [
    ...nearTerms(word).map((slug) => [termAddress(slug), termTitle(slug)] as const),
    ['/help', texts.help.all] as const,
  ]);

const noGuide = (name: string, { listed }: Guides) =>
  new NoSuchPage(texts.help.noGuide(shortened(name)), [
    ...listed.map((each) => [guideAddress(each), texts.help.guides[each].title] as const),
    ['/help', texts.help.all] as const,
  ]);
