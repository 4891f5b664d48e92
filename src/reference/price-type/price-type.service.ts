import { Injectable } from '@nestjs/common';
import { ReferenceService } from '../base/reference.service.js';
import { PriceType } from './price-type.entity.js';

@Injectable()
export class PriceTypeService extends ReferenceService(PriceType) {}
