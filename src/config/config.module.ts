import { Global, Module } from '@nestjs/common';
import { Environment } from './environment.js';
import { loadEnvironment } from './load-environment.js';

/** Provides the settings to every module. */
@Global()
@Module({
  providers: [{ provide: Environment, useFactory: () => loadEnvironment() }],
  exports: [Environment],
})
export class ConfigModule {}
