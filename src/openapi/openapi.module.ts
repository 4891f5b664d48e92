import { Module } from '@nestjs/common';
import { OpenApiController } from './openapi.controller.js';

/** The API document at /openapi.json and /docs. */
@Module({ controllers: [OpenApiController] })
export class OpenApiModule {}
