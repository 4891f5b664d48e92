import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { AccessGuard } from './access.guard.js';
import { AccountRecords } from './accounts/account-records.js';
import { Accounts } from './accounts/accounts.js';
import { AccountsController } from './accounts/accounts.controller.js';
import { AuthController } from './auth.controller.js';
import { AuthHousekeeping } from './auth-housekeeping.js';
import { AuthService } from './auth.service.js';
import { AuthThrottle } from './sessions/auth-throttle.js';
import { CookieSessions } from './sessions/cookie-sessions.js';
import { FirstAccount } from './accounts/first-account.js';
import { Clock } from '../platform/clock/clock.js';
import { ClockWarning } from './tokens/clock-warning.js';
import { Environment } from '../config/environment.js';
import { IdentityProviderStrategy } from './identity-provider/identity-provider.strategy.js';
import { Invitations } from './invitations/invitations.js';
import { JwtStrategy } from './jwt.strategy.js';
import { LoginSessions } from './sessions/login-sessions.js';
import { PasswordHasher } from './accounts/password-hasher.js';
import { ProviderSessions } from './sessions/provider-sessions.js';
import { ProviderSignIn } from './identity-provider/provider-sign-in.js';
import { SecurityLog } from './security-log.js';
import { SigningKeys } from './tokens/signing-keys.js';
import { Tokens, jwtOptions } from './tokens/tokens.js';

@Module({ providers: [SigningKeys], exports: [SigningKeys] })
class SigningKeysModule {}

/** Accounts, sessions, tokens, and the guard of all routes. */
@Module({
  imports: [
    SigningKeysModule,
    JwtModule.registerAsync({ imports: [SigningKeysModule], inject: [SigningKeys], useFactory: jwtOptions }),
  ],
  controllers: [AuthController, AccountsController],
  providers: [
    AccountRecords,
    Accounts,
    AuthHousekeeping,
    AuthService,
    AuthThrottle,
    ClockWarning,
    CookieSessions,
    FirstAccount,
    {
      provide: IdentityProviderStrategy,
      inject: [Environment, Clock],
      useFactory: IdentityProviderStrategy.create,
    },
    Invitations,
    JwtStrategy,
    LoginSessions,
    PasswordHasher,
    ProviderSessions,
    ProviderSignIn,
    SecurityLog,
    Tokens,
    { provide: APP_GUARD, useClass: AccessGuard },
  ],
  exports: [AccountRecords, AuthService, CookieSessions, Invitations, ProviderSignIn, SigningKeysModule],
})
export class AuthModule {}
