import { Module } from '@nestjs/common';
import { FxRateController } from './fx-rate.controller.js';
import { FxRateService } from './fx-rate.service.js';

@Module({ controllers: [FxRateController], providers: [FxRateService], exports: [FxRateService] })
export class FxRateModule {}
