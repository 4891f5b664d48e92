import { Controller } from '@nestjs/common';
import { pricePaths } from '../../config/price-paths.js';
import { ReferenceController } from '../base/reference.controller.js';
import { CpiDto } from './cpi.dto.js';
import { CpiService } from './cpi.service.js';

@Controller(pricePaths('Cpi'))
export class CpiController extends ReferenceController(CpiDto) {
  constructor(readonly service: CpiService) {
    super();
  }
}
