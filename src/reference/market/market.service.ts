import { Injectable } from '@nestjs/common';
import { countryName } from '../../lib/codes/countries.js';
import { ReferenceService } from '../base/reference.service.js';
import { Market } from './market.entity.js';

@Injectable()
export class MarketService extends ReferenceService(Market) {
  /** The default of the country name is that of ISO 3166. */
  protected override withDefaults(given: Partial<Market>) {
    return super.withDefaults({ country_name: countryName(given.iso3_country_code ?? ''), ...given });
  }
}
