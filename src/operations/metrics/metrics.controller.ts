import { Controller, Get } from '@nestjs/common';
import { Reply } from '../../platform/http/response/reply.js';
import { AlwaysServed, OwnMediaType } from '../../platform/http/routes/route-decorators.js';
import { ApiOkResponse, ApiOperation, ApiTags } from '../../platform/http/routes/api-docs.js';
import { MetricsService } from './metrics.service.js';

/** For Prometheus. */
@Controller('metrics')
@AlwaysServed()
@ApiTags('Operations')
export class MetricsController {
  constructor(private readonly metrics: MetricsService) {}

  @Get()
  @OwnMediaType()
  @ApiOperation({ summary: 'Metrics for Prometheus' })
  @ApiOkResponse({
    description: 'Prometheus text format',
    content: { 'text/plain': { schema: { type: 'string' } } },
  })
  async scrape() {
    return Reply.text(await this.metrics.text(), this.metrics.contentType);
  }
}
