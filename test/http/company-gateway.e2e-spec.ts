import { type CanActivate, type ExecutionContext, Injectable, Module, UseGuards } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import {
  ConnectedSocket,
  MessageBody,
  SubscribeMessage,
  WebSocketGateway,
  WsException,
} from '@nestjs/websockets';
import { once } from 'node:events';
import WebSocket from 'ws';
import { startTestApp, type TestApp } from '../support/test-app.js';

/*
 * A WebSocket gateway that a company adds. The guards of the service are those of HTTP requests: a
 * gateway has its own, and messages pass those of the service.
 */

@Injectable()
class PasswordGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToWs().getData<{ password?: string }>().password === 'sesame';
  }
}

@WebSocketGateway({ path: '/company/live' })
class PriceGateway {
  @SubscribeMessage('price')
  price(@MessageBody() { commodity }: { commodity: string }) {
    return { event: 'price', data: { commodity, price: 12 } };
  }

  @SubscribeMessage('secret')
  @UseGuards(PasswordGuard)
  secret(@ConnectedSocket() client: WebSocket) {
    client.send('"open"');
  }

  @SubscribeMessage('wrong')
  wrong() {
    throw new WsException('Not like this');
  }

  @SubscribeMessage('broken')
  broken() {
    throw new Error('SELECT secret FROM account');
  }
}

@Module({ providers: [PriceGateway] })
class CompanyModule {}

let service: TestApp;
let socket: WebSocket;
beforeAll(async () => {
  service = await startTestApp({}, [CompanyModule], (app) => app.useWebSocketAdapter(new WsAdapter(app)));
  const { port } = service.app.getHttpServer().address() as { port: number };
  socket = new WebSocket(`ws://127.0.0.1:${port}/company/live`);
  await once(socket, 'open');
});
afterAll(async () => {
  socket?.terminate();
  await service?.close();
});

async function ask(event: string, data: object = {}): Promise<unknown> {
  const received = once(socket, 'message');
  socket.send(JSON.stringify({ event, data }));
  const [message] = (await received) as [Buffer];
  return JSON.parse(message.toString());
}

describe('a WebSocket gateway', () => {
  it('answers messages', async () => {
    expect(await ask('price', { commodity: 'Maize' })).toEqual({
      event: 'price',
      data: { commodity: 'Maize', price: 12 },
    });
  });

  it('has guards of its own', async () => {
    expect(await ask('secret', { password: 'sesame' })).toBe('open');
    expect(await ask('secret')).toMatchObject({
      event: 'exception',
      data: { status: 'error', message: 'Forbidden resource' },
    });
  });

  it('reports its errors as Nest does, and says nothing of unknown ones', async () => {
    expect(await ask('wrong')).toMatchObject({ event: 'exception', data: { message: 'Not like this' } });
    const broken = await ask('broken');
    expect(broken).toMatchObject({ event: 'exception', data: { message: 'Internal server error' } });
    expect(JSON.stringify(broken)).not.toContain('SELECT');
  });

  it('leaves HTTP requests as they are', async () => {
    await service.http().post('/api/v1/Commodity/').send({}).expect(401);
    await service.http().get('/company/live').expect(404);
  });
});
