import { Controller, Get } from '@nestjs/common';
import { Unavailable } from '../common/errors/api-error.js';
import { AlwaysServed } from '../common/http/route-decorators.js';
import { Readiness } from './readiness.js';

/** For the supervisor and the load balancer. Names nothing and needs no token. */
@Controller('health')
@AlwaysServed()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** 200 while the process turns; touches nothing. */
  @Get('live')
  live() {
    return { status: 'ok' };
  }

  /** 200 while requests can be answered (`degraded`: reads alone), else 503. */
  @Get('ready')
  async ready() {
    const status = await this.readiness.state();
    if (status === 'unavailable') throw new Unavailable('The service is not ready.');
    return { status };
  }
}
