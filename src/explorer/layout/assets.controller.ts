import { Controller, Get, Param, UseGuards } from '@nestjs/common';
import { NotFound } from '../../platform/errors/api-error.js';
import { Reply } from '../../platform/http/reply.js';
import { CacheControl, OwnMediaType } from '../../platform/http/routes.js';
import { ExplorerGuard } from './explorer-page.js';
import { STYLE_FILE } from '../../web/frame.js';
import { SCRIPT_FOLDER, SCRIPTS } from '../../web/scripts.js';
import { STYLE } from '../../web/style/style.js';

const asset = (content: string, type: string) =>
  Reply.file(Buffer.from(content), `${type}; charset=utf-8`, {
    'Cache-Control': 'public, max-age=31536000, immutable',
  });

/** Files of the pages. Their addresses change with their content, so browsers keep them. */
@Controller('explorer')
@UseGuards(ExplorerGuard)
@OwnMediaType()
@CacheControl('revalidate')
export class AssetsController {
  private readonly style = asset(STYLE, 'text/css');
  private readonly scripts = new Map(
    [...SCRIPTS].map(([name, content]) => [name, asset(content, 'text/javascript')]),
  );

  /** @throws NotFound for every other file */
  @Get(':file')
  file(@Param('file') file: string): Reply {
    if (file !== STYLE_FILE) throw new NotFound();
    return this.style;
  }

  /** @throws NotFound for scripts of another build: pages work without them */
  @Get(':folder/:file')
  script(@Param('folder') folder: string, @Param('file') file: string): Reply {
    const script = folder === SCRIPT_FOLDER ? this.scripts.get(file) : undefined;
    if (script === undefined) throw new NotFound();
    return script;
  }
}
