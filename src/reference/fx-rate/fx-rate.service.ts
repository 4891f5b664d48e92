import { Injectable } from '@nestjs/common';
import { ReferenceService } from '../base/reference.service.js';
import { FxRate } from './fx-rate.entity.js';

@Injectable()
export class FxRateService extends ReferenceService(FxRate) {
  protected override searchableNames({ currency }: FxRate) {
    return [currency];
  }
}
