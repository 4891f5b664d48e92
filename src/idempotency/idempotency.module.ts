import { Global, Module } from '@nestjs/common';
import { Idempotency } from './idempotency.js';

/** Idempotency keys, for every route that makes records. */
@Global()
@Module({ providers: [Idempotency], exports: [Idempotency] })
export class IdempotencyModule {}
