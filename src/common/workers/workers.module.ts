import { Global, Module } from '@nestjs/common';
import { Siblings } from './siblings.js';

/** Gives every module the way to the other processes of the service. */
@Global()
@Module({ providers: [{ provide: Siblings, useFactory: () => new Siblings() }], exports: [Siblings] })
export class WorkersModule {}
