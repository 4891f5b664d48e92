import { Global, Module } from '@nestjs/common';
import { Clock } from './clock.js';

/** Gives every module the same clock, so that a test can set it for all. */
@Global()
@Module({ providers: [Clock], exports: [Clock] })
export class ClockModule {}
