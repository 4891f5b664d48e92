import { Global, Module } from '@nestjs/common';
import { RouteTable } from './route-table.js';

/** Gives the route table to those who describe the routes; `configureApp` fills it. */
@Global()
@Module({ providers: [RouteTable], exports: [RouteTable] })
export class HttpModule {}
