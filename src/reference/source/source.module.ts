import { Module } from '@nestjs/common';
import { SourceController } from './source.controller.js';
import { SourceService } from './source.service.js';

@Module({ controllers: [SourceController], providers: [SourceService], exports: [SourceService] })
export class SourceModule {}
