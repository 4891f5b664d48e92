import { Module } from '@nestjs/common';
import { ExplorerModule } from '../explorer/explorer.module.js';
import { HttpModule } from '../platform/http/http.module.js';
import { IndexController } from './index.controller.js';
import { OpenApiController } from './openapi.controller.js';

/** The index, the API document at /openapi.json and /docs, and the problem codes at /problems. */
@Module({ imports: [ExplorerModule, HttpModule], controllers: [IndexController, OpenApiController] })
export class OpenApiModule {}
