import { Injectable } from '@nestjs/common';
import { countryName } from '../../lib/codes/countries.js';
import { ReferenceService } from '../base/reference.service.js';
import { Cpi } from './cpi.entity.js';

@Injectable()
export class CpiService extends ReferenceService(Cpi) {
  protected override searchableNames({ iso3_country_code }: Cpi) {
    return [iso3_country_code, countryName(iso3_country_code)];
  }
}
