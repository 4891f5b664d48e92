import { Module } from '@nestjs/common';
import { CpiController } from './cpi.controller.js';
import { CpiService } from './cpi.service.js';

@Module({ controllers: [CpiController], providers: [CpiService], exports: [CpiService] })
export class CpiModule {}
