import { Injectable } from '@nestjs/common';
import { countryName } from '../../common/codes/countries.js';
import { ReferenceService } from '../base/reference.service.js';
import { Market } from './market.entity.js';

@Injectable()
export class MarketService extends ReferenceService(Market) {
  /** A country whose name is not given is called as in ISO 3166. */
  protected override complete(given: Partial<Market>) {
    return super.complete({ country_name: countryName(given.iso3_country_code ?? ''), ...given });
  }
}
