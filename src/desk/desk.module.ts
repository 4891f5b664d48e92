import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { HttpModule } from '../platform/http/http.module.js';
import { DeskHomeController } from './home/home.controller.js';
import { LoginController, LogoutController } from './session/session.controller.js';

/** The pages at which maintainers keep the data. */
@Module({
  imports: [AuthModule, HttpModule],
  controllers: [DeskHomeController, LoginController, LogoutController],
})
export class DeskModule {}
