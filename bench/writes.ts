import type { Engine } from './databases.js';
import type { DataSize } from './data.js';
import type { MeasuredServer } from './processes.js';
import { API_BASE, RandomRequests, type Scenario } from './scenarios.js';
import { admin, httpGet, httpPost } from './servers.js';

/** Most microseconds of processor time of a write on SQLite. */
const CPU_GOAL = 500;
/** Series whose points are changed. */
const CHANGED_SERIES = 20;

/** Makes some revisions that change no series. */
export async function addRevisions(service: MeasuredServer): Promise<void> {
  const { access } = await httpPost<{ access: string }>(service.port, '/api/auth/login/', admin);
  for (let count = 0; count < 3; count++) {
    const response = await fetch(`http://127.0.0.1:${service.port}${API_BASE}/Source/`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${access}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ source_name: `Revision ${count}` }),
    });
    if (response.status !== 201) throw new Error(`A source has status ${response.status}.`);
  }
}

/** The writes of one data set; each is a transaction that is on disk before it is answered. */
export async function writeScenarios(
  service: MeasuredServer,
  engine: Engine,
  size: DataSize,
): Promise<Scenario[]> {
  const { access } = await httpPost<{ access: string }>(service.port, '/api/auth/login/', admin);
  const headers = { Authorization: `Bearer ${access}` };
  const random = new RandomRequests(size);
  const points: string[] = [];
  for (let count = 0; count < CHANGED_SERIES; count++) {
    const { path } = random.onePrice();
    const { datapoints } = JSON.parse((await httpGet(service.port, path)).body.toString()) as {
      datapoints: { id: number; calculated?: true }[];
    };
    points.push(...datapoints.filter(({ calculated }) => !calculated).map(({ id }) => `${path}${id}/`));
  }
  let created = 0;
  const write = {
    floor: 'B',
    goal: null,
    cpuGoal: engine === 'SQLite' ? CPU_GOAL : undefined,
    connections: 4,
  } as const;
  return [
    {
      ...write,
      name: 'POST Commodity',
      next: () => ({
        method: 'POST',
        path: `${API_BASE}/Commodity/`,
        headers,
        body: { commodity_name: `Measured ${++created}`, commodity_category: 'cereals and tubers' },
      }),
    },
    {
      ...write,
      name: 'PATCH datapoint',
      next: () => ({
        method: 'PATCH',
        path: points[random.below(points.length)]!,
        headers,
        body: { price_value: (1 + random.below(1_000_000)) / 100 },
      }),
    },
  ];
}
