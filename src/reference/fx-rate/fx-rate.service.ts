import { Injectable } from '@nestjs/common';
import { ParseError } from '../../platform/validation/parsers.js';
import { ReferenceService } from '../base/reference.service.js';
import { FxRate } from './fx-rate.entity.js';

@Injectable()
export class FxRateService extends ReferenceService(FxRate, 'rates') {
  protected override searchableNames({ currency }: FxRate) {
    return [currency];
  }

  protected override validate({ period, date }: FxRate) {
    if (period !== 'monthly' || date.endsWith('-01')) return [];
    return [
      {
        field: 'date',
        error: new ParseError('invalid_date', 'must be the first day of a month for a monthly rate.'),
      },
    ];
  }
}
