import { Module } from '@nestjs/common';
import { OpenApiController } from './openapi.controller.js';

/** The OpenAPI document at /openapi.json and /docs, and the problem codes at /problems. */
@Module({ controllers: [OpenApiController] })
export class OpenApiModule {}
