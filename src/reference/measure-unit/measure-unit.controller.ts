import { Controller } from '@nestjs/common';
import { pricePaths } from '../../config/price-paths.js';
import { ReferenceController } from '../base/reference.controller.js';
import { MeasureUnitDto } from './measure-unit.dto.js';
import { MeasureUnitService } from './measure-unit.service.js';

@Controller(pricePaths('MeasureUnit'))
export class MeasureUnitController extends ReferenceController(MeasureUnitDto) {
  constructor(readonly service: MeasureUnitService) {
    super();
  }
}
