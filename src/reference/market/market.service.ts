import { Injectable } from '@nestjs/common';
import { ReferenceService } from '../base/reference.service.js';
import { Market } from './market.entity.js';

@Injectable()
export class MarketService extends ReferenceService(Market) {}
