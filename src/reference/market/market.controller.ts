import { Controller } from '@nestjs/common';
import { pricePaths } from '../../config/price-paths.js';
import { ReferenceController } from '../base/reference.controller.js';
import { MarketDto } from './market.dto.js';
import { MarketService } from './market.service.js';

@Controller(pricePaths('Market'))
export class MarketController extends ReferenceController(MarketDto) {
  constructor(readonly service: MarketService) {
    super();
  }
}
