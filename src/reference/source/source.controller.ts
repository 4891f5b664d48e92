import { Controller } from '@nestjs/common';
import { pricePaths } from '../../config/price-paths.js';
import { ReferenceController } from '../base/reference.controller.js';
import { SourceDto } from './source.dto.js';
import { SourceService } from './source.service.js';

@Controller(pricePaths('Source'))
export class SourceController extends ReferenceController(SourceDto) {
  constructor(readonly service: SourceService) {
    super();
  }
}
