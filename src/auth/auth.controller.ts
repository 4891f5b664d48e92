import { Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { Protected, Public, ThrottledAs } from '../platform/http/routes.js';
import { type Caller, CurrentCaller } from '../platform/http/caller.js';
import { ValidBody } from '../platform/http/params.js';
import {
  ApiBody,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProblems,
  ApiTags,
} from '../platform/http/api-docs.js';
import { CallerAccount, LoginDto, RefreshDto } from './auth.dto.js';
import { AuthService } from './auth.service.js';
import { loginClientOf } from './login-client.js';
import { TokenPair } from './tokens/tokens.js';
import { schemaOf } from '../platform/validation/field.js';

/**
 * Login, refresh and logout. Refreshes and logouts count as unauthenticated writes of their
 * address, whatever their token; `AuthThrottle` limits logins, and refreshes with a token of this
 * service.
 */
@ApiTags('Accounts')
@Controller('api/auth')
export class AuthController {
  constructor(private readonly auth: AuthService) {}

  @Public()
  @HttpCode(200)
  @Post('login')
  @ApiOperation({ summary: 'Sign in' })
  @ApiBody({
    schema: schemaOf(LoginDto),
    example: { username: 'admin', password: 'the password that the first start printed' },
  })
  @ApiOkResponse({ description: 'A pair of tokens', schema: schemaOf(TokenPair) })
  @ApiProblems('authentication_failed')
  login(
    @ValidBody(LoginDto) { username, password }: LoginDto,
    @Req() request: IncomingMessage,
  ): Promise<TokenPair> {
    return this.auth.login(username, password, ...loginClientOf(request));
  }

  @Public()
  @ThrottledAs('unauthenticated')
  @HttpCode(200)
  @Post('refresh')
  @ApiOperation({
    summary: 'Get a new pair of tokens',
    description: 'A refresh token can be used once. Using it again ends the login session.',
  })
  @ApiBody({ schema: schemaOf(RefreshDto) })
  @ApiOkResponse({ description: 'A new pair of tokens', schema: schemaOf(TokenPair) })
  @ApiProblems('token_not_valid')
  refresh(
    @ValidBody(RefreshDto) { refresh }: RefreshDto,
    @Req() request: IncomingMessage,
  ): Promise<TokenPair> {
    return this.auth.refresh(refresh, ...loginClientOf(request));
  }

  @Public()
  @ThrottledAs('unauthenticated')
  @HttpCode(204)
  @Post('logout')
  @ApiOperation({ summary: 'Sign out' })
  @ApiBody({ schema: schemaOf(RefreshDto) })
  @ApiNoContentResponse({ description: 'The login session has ended, if there was one' })
  logout(@ValidBody(RefreshDto) { refresh }: RefreshDto, @Req() request: IncomingMessage): Promise<void> {
    return this.auth.logout(refresh, ...loginClientOf(request));
  }

  @Protected()
  @Get('me')
  @ApiOperation({ summary: 'Read the account of the access token' })
  @ApiOkResponse({ description: 'The account', schema: schemaOf(CallerAccount) })
  me(@CurrentCaller() { accountId, username, role, issuer, subject }: Caller): CallerAccount {
    // The guard lets no account without a role in.
    const account = { id: accountId, username, role: role! };
    return accountId === null ? { ...account, issuer, subject } : account;
  }
}
