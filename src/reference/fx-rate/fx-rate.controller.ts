import { Controller } from '@nestjs/common';
import { pricePaths } from '../../config/price-paths.js';
import { ReferenceController } from '../base/reference.controller.js';
import { FxRateDto } from './fx-rate.dto.js';
import { FxRateService } from './fx-rate.service.js';

@Controller(pricePaths('FxRate'))
export class FxRateController extends ReferenceController(FxRateDto) {
  constructor(readonly service: FxRateService) {
    super();
  }
}
