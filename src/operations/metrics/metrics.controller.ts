import { Controller, Get } from '@nestjs/common';
import { Reply } from '../../platform/http/reply.js';
import { AlwaysServed, OwnMediaType } from '../../platform/http/routes.js';
import { MetricsService } from './metrics.service.js';

/** For Prometheus, on the management port. */
@Controller('metrics')
@AlwaysServed()
export class MetricsController {
  constructor(private readonly metrics: MetricsService) {}

  @Get()
  @OwnMediaType()
  async scrape() {
    return Reply.text(await this.metrics.text(), this.metrics.contentType);
  }
}
