import { Controller } from '@nestjs/common';
import { pricePaths } from '../../config/price-paths.js';
import { ReferenceController } from '../base/reference.controller.js';
import { PriceTypeDto } from './price-type.dto.js';
import { PriceTypeService } from './price-type.service.js';

@Controller(pricePaths('PriceType'))
export class PriceTypeController extends ReferenceController(PriceTypeDto) {
  constructor(readonly service: PriceTypeService) {
    super();
  }
}
