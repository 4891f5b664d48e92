import { Injectable } from '@nestjs/common';
import { ReferenceService } from '../base/reference.service.js';
import { MeasureUnit } from './measure-unit.entity.js';

@Injectable()
export class MeasureUnitService extends ReferenceService(MeasureUnit) {}
