import { Module } from '@nestjs/common';
import { OpenApiController } from './openapi.controller.js';

/** The API document at /openapi.json and /docs, and the kinds of refusals at /problems. */
@Module({ controllers: [OpenApiController] })
export class OpenApiModule {}
