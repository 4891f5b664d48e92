import { Injectable } from '@nestjs/common';

/** Whether the service is shutting down. */
@Injectable()
export class Draining {
  active = false;
}
