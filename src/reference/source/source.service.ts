import { Injectable } from '@nestjs/common';
import { ReferenceService } from '../base/reference.service.js';
import { Source } from './source.entity.js';

@Injectable()
export class SourceService extends ReferenceService(Source) {}
