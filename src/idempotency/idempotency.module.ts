import { Global, Module } from '@nestjs/common';
import { Idempotency } from './idempotency.js';

/** Idempotency keys, for all routes that create records. */
@Global()
@Module({ providers: [Idempotency], exports: [Idempotency] })
export class IdempotencyModule {}
