// Smoke test: starts the built server on a new embedded database, sends a few requests, and stops
// it.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

const folder = mkdtempSync(join(tmpdir(), 'pds-smoke-'));
// Below the ports of outgoing connections, which keep theirs for a minute after they have ended.
const port = 20_000 + Math.floor(Math.random() * 12_000);
const base = `http://127.0.0.1:${port}`;
const server = spawn(process.execPath, ['dist/src/main.js'], {
  env: {
    ...process.env,
    PORT: String(port),
    MANAGEMENT_PORT: String(port + 1),
    DATABASE_URL: `sqlite:${join(folder, 'prices.sqlite')}`,
    ADMIN_PASSWORD: 'a smoke test is no fire',
    LOG_LEVEL: 'warn',
  },
  stdio: 'inherit',
});
const exited = new Promise((resolve) => server.once('exit', resolve));

try {
  for (let tries = 0; ; tries++) {
    const ready = await fetch(`${base}/health/ready`).catch(() => null);
    if (ready?.status === 200) break;
    assert(tries < 150 && server.exitCode === null, 'The server did not become ready.');
    await sleep(200);
  }
  const series = await (await fetch(`${base}/api/v1/PriceSerie/?page_size=5`)).json();
  assert(series.count > 50 && series.results.length === 5, 'The sample data are not loaded.');
  const prices = await (await fetch(`${base}/api/v1/PriceSeriePrice/${series.results[0].uuid}/`)).json();
  assert(prices.datapoints.length > 0, 'A series has no prices.');
  const tokens = await (
    await fetch(`${base}/api/auth/login/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: 'a smoke test is no fire' }),
    })
  ).json();
  const created = await fetch(`${base}/api/v1/Commodity/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${tokens.access}` },
    body: JSON.stringify({ commodity_name: 'Smoked herring', commodity_hs_code: '030542' }),
  });
  assert.equal(created.status, 201);
  assert.equal((await fetch(`${base}/openapi.json`)).status, 200);
  assert.equal((await fetch(`${base}/metrics`)).status, 404);
  const metrics = await (await fetch(`http://127.0.0.1:${port + 1}/metrics`)).text();
  assert.match(metrics, /^pds_database_connected 1$/m);
  server.kill('SIGTERM');
  assert.equal(await exited, 0, 'The server did not shut down gracefully.');
  console.log('The built server serves the sample data, accepts a write, and shuts down gracefully.');
} finally {
  server.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
