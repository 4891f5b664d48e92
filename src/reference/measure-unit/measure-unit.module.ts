import { Module } from '@nestjs/common';
import { MeasureUnitController } from './measure-unit.controller.js';
import { MeasureUnitService } from './measure-unit.service.js';

@Module({
  controllers: [MeasureUnitController],
  providers: [MeasureUnitService],
  exports: [MeasureUnitService],
})
export class MeasureUnitModule {}
