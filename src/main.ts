import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { ServiceExpressAdapter } from './common/http/service-express-adapter.js';
import { Environment } from './config/environment.js';
import { applicationOptions, configureApp } from './configure-app.js';

const app = await NestFactory.create(AppModule, new ServiceExpressAdapter(), applicationOptions);
configureApp(app);
const { port, host } = app.get(Environment);
await app.listen(port, host);
