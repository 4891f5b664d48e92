import { Module } from '@nestjs/common';
import { PriceTypeController } from './price-type.controller.js';
import { PriceTypeService } from './price-type.service.js';

@Module({ controllers: [PriceTypeController], providers: [PriceTypeService], exports: [PriceTypeService] })
export class PriceTypeModule {}
