import { Controller, Get, Inject } from '@nestjs/common';
import { basePathOf } from '../../platform/http/client.js';
import { HTTP_OPTIONS, type HttpOptions } from '../../platform/http/options.js';
import { Reply } from '../../platform/http/reply.js';
import { CacheControl, OwnMediaType } from '../../platform/http/routes.js';
import { CLOSED_PATHS } from './crawlers.js';

/**
 * What crawlers may read (RFC 9309): pages of countries, commodities and series, each once.
 * Addresses with a query are states of these, of which there is no end.
 */
@Controller('robots.txt')
@OwnMediaType()
@CacheControl('revalidate')
export class RobotsController {
  private readonly text: Reply;

  constructor(@Inject(HTTP_OPTIONS) { publicUrl }: HttpOptions) {
    const basePath = basePathOf(publicUrl);
    const lines = ['User-agent: *', ...CLOSED_PATHS.map((path) => `Disallow: ${basePath}${path}`)];
    this.text = Reply.file(Buffer.from(`${lines.join('\n')}\n`), 'text/plain; charset=utf-8');
  }

  @Get()
  robots(): Reply {
    return this.text;
  }
}
