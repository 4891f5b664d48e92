import { Injectable } from '@nestjs/common';
import { ReferenceService } from '../base/reference.service.js';
import { Commodity } from './commodity.entity.js';

@Injectable()
export class CommodityService extends ReferenceService(Commodity) {}
