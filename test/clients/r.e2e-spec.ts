import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClientService, startClientService } from './client-service.js';
import { describeWith, r, run } from './run-client.js';

describeWith(r, 'the client for R', () => {
  let service: ClientService;
  let folder: string;
  beforeAll(async () => {
    service = await startClientService();
    folder = mkdtempSync(join(tmpdir(), 'pricedata-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await service?.close();
  });

  it('tells which month of a series is not over', async () => {
    const code =
      'source("clients/r/pricedata.R")\n' +
      'newest <- rows("PriceSeriePrice/1b61a5d0-a83c-539c-81c3-a6f8b973543f", latest = 1)\n' +
      'cat(newest$periodicity, newest$partial)';
    expect(await run(r, ['-e', code], { PRICEDATA_URL: service.url })).toBe(
      'daily weekly monthly FALSE FALSE TRUE',
    );
  });

  it('does not take the headers of a proxy for those of the service', async () => {
    const proxy = createServer().on('connect', ({ url }, socket) => {
      const { hostname, port } = new URL(`http://${url}`);
      const service = connect(Number(port), hostname, () => {
        socket.write('HTTP/1.1 200 Connection established\r\nData-Revision: 999\r\nRetry-After: 999\r\n\r\n');
        socket.pipe(service).pipe(socket);
      });
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    // curl connects through the proxy as it does for addresses with https.
    writeFileSync(join(folder, '.curlrc'), 'proxytunnel\n');
    service.requests.splice(0);
    service.prepared.push({ status: 503, headers: { 'Retry-After': '0' } });
    try {
      const code = 'source("clients/r/pricedata.R")\ncat(attr(rows("Source"), "source")$data_revision)';
      const printed = await run(r, ['-e', code], {
        PRICEDATA_URL: service.url,
        CURL_HOME: folder,
        http_proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
        no_proxy: '',
        NO_PROXY: '',
      });
      expect(printed).toBe('5');
      expect(service.requests.map(({ status }) => status)).toEqual([503, 200, 200]);
    } finally {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    }
  });
});
