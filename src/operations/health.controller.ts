import { Controller, Get } from '@nestjs/common';
import { Unavailable } from '../platform/errors/api-error.js';
import { AlwaysServed } from '../platform/http/routes.js';
import { ApiOkResponse, ApiOperation, ApiTags } from '../platform/http/api-docs.js';
import { Readiness } from './readiness.js';

/** For supervisors and load balancers. Needs no token and reveals no details. */
@Controller('health')
@AlwaysServed()
@ApiTags('Operations')
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** 200 while the event loop runs; checks nothing else. */
  @Get('live')
  @ApiOperation({ summary: 'Check liveness' })
  @ApiOkResponse({ description: 'The process is running', schema: { type: 'object' } })
  live() {
    return { status: 'ok' };
  }

  /** 200 while requests can be served (`degraded`: reads only), else 503. */
  @Get('ready')
  @ApiOperation({ summary: 'Check readiness' })
  @ApiOkResponse({ description: 'The service can answer requests', schema: { type: 'object' } })
  async ready() {
    const status = await this.readiness.state();
    if (status === 'unavailable') throw new Unavailable('The service is not ready.');
    return { status };
  }
}
