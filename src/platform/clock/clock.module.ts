import { Global, Module } from '@nestjs/common';
import { Clock } from './clock.js';

/** Provides one clock to all modules, so that a test can set the time for all of them. */
@Global()
@Module({ providers: [Clock], exports: [Clock] })
export class ClockModule {}
