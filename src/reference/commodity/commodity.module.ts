import { Module } from '@nestjs/common';
import { CommodityController } from './commodity.controller.js';
import { CommodityService } from './commodity.service.js';

@Module({ controllers: [CommodityController], providers: [CommodityService], exports: [CommodityService] })
export class CommodityModule {}
