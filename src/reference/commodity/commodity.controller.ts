import { Controller } from '@nestjs/common';
import { pricePaths } from '../../config/price-paths.js';
import { ReferenceController } from '../base/reference.controller.js';
import { CommodityDto } from './commodity.dto.js';
import { CommodityService } from './commodity.service.js';

@Controller(pricePaths('Commodity'))
export class CommodityController extends ReferenceController(CommodityDto) {
  constructor(readonly service: CommodityService) {
    super();
  }
}
