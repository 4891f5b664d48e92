import { Injectable } from '@nestjs/common';

/** Whether the service is on its way to stop. */
@Injectable()
export class Draining {
  active = false;
}
