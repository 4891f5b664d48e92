import { Controller, Get } from '@nestjs/common';
import { Reply } from '../common/http/reply.js';
import { AlwaysServed, ReplyFormats } from '../common/http/route-decorators.js';
import { Metrics } from './metrics.js';

/** For Prometheus. */
@Controller('metrics')
@AlwaysServed()
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @ReplyFormats()
  async scrape() {
    return Reply.text(await this.metrics.text(), this.metrics.contentType);
  }
}
