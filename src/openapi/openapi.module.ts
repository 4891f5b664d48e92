import { Module } from '@nestjs/common';
import { HttpModule } from '../platform/http/http.module.js';
import { OpenApiController } from './openapi.controller.js';

/** The OpenAPI document at /openapi.json and /docs, and the problem codes at /problems. */
@Module({ imports: [HttpModule], controllers: [OpenApiController] })
export class OpenApiModule {}
