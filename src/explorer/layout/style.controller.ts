import { Controller, Get, Param, UseGuards } from '@nestjs/common';
import { NotFound } from '../../platform/errors/api-error.js';
import { Reply } from '../../platform/http/response/reply.js';
import { CacheControl, OwnMediaType } from '../../platform/http/routes/route-decorators.js';
import { ExplorerGuard } from './explorer-page.js';
import { STYLE_FILE } from './page.js';
import { STYLE } from './style.js';

/** Files of the pages. Their addresses change with their content, so browsers keep them. */
@Controller('explorer')
@UseGuards(ExplorerGuard)
@OwnMediaType()
@CacheControl('revalidate')
export class StyleController {
  private readonly style = Reply.file(Buffer.from(STYLE), 'text/css; charset=utf-8', {
    'Cache-Control': 'public, max-age=31536000, immutable',
  });

  /** @throws NotFound for every other file */
  @Get(':file')
  file(@Param('file') file: string): Reply {
    if (file !== STYLE_FILE) throw new NotFound();
    return this.style;
  }
}
