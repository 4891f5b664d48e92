import { Body, Controller, Get, HttpCode, Post, Req } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiBody,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { IncomingMessage } from 'node:http';
import { Protected, Public } from '../common/access/access-rules.js';
import { CurrentCaller, type Caller } from '../common/access/caller.js';
import { contextOf } from '../common/http/request-context.js';
import { ThrottledAs } from '../common/http/route-decorators.js';
import { checkBody } from '../common/validation/check-body.js';
import { LoginDto, MeView, RefreshDto, TokenPairView } from './auth.dto.js';
import { AuthService, type Client } from './auth.service.js';

/** Logins. They have throttles of their own, which count failures and are shared by all processes. */
@ApiTags('Authentication')
@Controller('api/auth')
export class AuthController {
  constructor(private readonly auth: AuthService) {}

  @ApiOperation({ summary: 'Log in', operationId: 'login' })
  @ApiBody({ type: LoginDto })
  @ApiOkResponse({ type: TokenPairView })
  @Public()
  @ThrottledAs('auth')
  @HttpCode(200)
  @Post('login')
  login(@Body() body: unknown, @Req() request: IncomingMessage): Promise<TokenPairView> {
    const { username, password } = checkBody(LoginDto, body);
    return this.auth.login(username, password, clientOf(request));
  }

  @ApiOperation({ summary: 'Exchange a refresh token for a new pair', operationId: 'refresh' })
  @ApiBody({ type: RefreshDto })
  @ApiOkResponse({ type: TokenPairView })
  @Public()
  @ThrottledAs('auth')
  @HttpCode(200)
  @Post('refresh')
  refresh(@Body() body: unknown, @Req() request: IncomingMessage): Promise<TokenPairView> {
    return this.auth.refresh(checkBody(RefreshDto, body).refresh, clientOf(request));
  }

  @ApiOperation({ summary: 'End the login a refresh token came of', operationId: 'logout' })
  @ApiBody({ type: RefreshDto })
  @ApiNoContentResponse({ description: 'Ended, or there was nothing to end.' })
  @Public()
  @ThrottledAs('auth')
  @HttpCode(204)
  @Post('logout')
  logout(@Body() body: unknown, @Req() request: IncomingMessage): Promise<void> {
    return this.auth.logout(checkBody(RefreshDto, body).refresh, clientOf(request));
  }

  @ApiOperation({ summary: 'Who the access token belongs to', operationId: 'me' })
  @ApiBearerAuth()
  @ApiOkResponse({ type: MeView })
  @Protected()
  @Get('me')
  me(@CurrentCaller() caller: Caller): MeView {
    return { id: caller.accountId, username: caller.username, role: caller.role };
  }
}

function clientOf(request: IncomingMessage): Client {
  const { clientAddress, id } = contextOf(request);
  return { address: clientAddress, requestId: id };
}
