import { Controller, Get } from '@nestjs/common';
import { Answer } from '../common/http/answer.js';
import { AlwaysServed, Formats } from '../common/http/route-decorators.js';
import { Metrics } from './metrics.js';

/** For Prometheus. */
@Controller('metrics')
@AlwaysServed()
export class MetricsController {
  constructor(private readonly metrics: Metrics) {}

  @Get()
  @Formats()
  async scrape() {
    return Answer.text(await this.metrics.text(), this.metrics.contentType);
  }
}
