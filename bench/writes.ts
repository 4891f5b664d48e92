import type { Engine } from './databases.js';
import type { DataSize } from './data.js';
import type { MeasuredServer } from './processes.js';
import { API_BASE, RandomRequests, type Scenario } from './scenarios.js';
import { admin, httpGet, httpPost } from './servers.js';

/** Most microseconds of processor time of a write on SQLite. */
const CPU_GOAL = 500;
/** Series whose points are changed. */
const CHANGED_SERIES = 20;

/** Headers of a maintainer's requests. */
async function authorization(service: MeasuredServer): Promise<{ Authorization: string }> {
  const { access } = await httpPost<{ access: string }>(service.port, '/api/auth/login/', admin);
  return { Authorization: `Bearer ${access}` };
}

/** Paths of the stored points of some random series. */
async function storedPoints(service: MeasuredServer, random: RandomRequests): Promise<string[]> {
  const points: string[] = [];
  for (let count = 0; count < CHANGED_SERIES; count++) {
    const { path } = random.onePrice();
    const { datapoints } = JSON.parse((await httpGet(service.port, path)).body.toString()) as {
      datapoints: { id: number; calculated?: true }[];
    };
    points.push(...datapoints.filter(({ calculated }) => !calculated).map(({ id }) => `${path}${id}/`));
  }
  return points;
}

/** Changes some points, so that each earlier state has series of its own to read. */
export async function addRevisions(service: MeasuredServer, size: DataSize): Promise<void> {
  const headers = { ...(await authorization(service)), 'Content-Type': 'application/json' };
  const points = await storedPoints(service, new RandomRequests(size));
  for (let count = 0; count < 3; count++) {
    const response = await fetch(`http://127.0.0.1:${service.port}${points[count]!}`, {
      method: 'PATCH',
      headers,
      body: JSON.stringify({ price_value: 1000 + count }),
    });
    if (response.status !== 200) throw new Error(`A point has status ${response.status}.`);
  }
}

/** The writes of one data set; each is a transaction that is on disk before it is answered. */
export async function writeScenarios(
  service: MeasuredServer,
  engine: Engine,
  size: DataSize,
): Promise<Scenario[]> {
  const headers = await authorization(service);
  const random = new RandomRequests(size);
  const points = await storedPoints(service, random);
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
