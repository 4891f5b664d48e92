import type { Engine } from './databases.js';
import type { DataSize } from './data.js';
import type { MeasuredServer } from './processes.js';
import { API_BASE, RandomRequests, type Scenario } from './scenarios.js';
import { admin, httpGet, httpPost } from './servers.js';

/** The names of the scenarios. */
export const WRITES = ['POST Commodity', 'PATCH datapoint'] as const;

/** Most microseconds of processor time of a write on SQLite. */
const CPU_GOAL = 500;
/**
 * Milliseconds before the first round. V8 compiles what a write runs within some 5,000 of them,
 * which are more than those of all rounds.
 */
const WARM_UP = 10_000;
/** Series whose points are changed. */
const CHANGED_SERIES = 20;

/** Headers of a maintainer's requests. */
async function authorization(service: MeasuredServer): Promise<{ Authorization: string }> {
  const { access } = await httpPost<{ access: string }>(service.port, '/api/auth/login/', admin);
  return { Authorization: `Bearer ${access}` };
}

interface StoredPoint {
  path: string;
  price: number;
}

/** The stored points of some random series. */
async function storedPoints(service: MeasuredServer, random: RandomRequests): Promise<StoredPoint[]> {
  const points: StoredPoint[] = [];
  for (let count = 0; count < CHANGED_SERIES; count++) {
    const { path } = random.onePrice();
    const { datapoints } = JSON.parse((await httpGet(service.port, path)).body.toString()) as {
      datapoints: { id: number; price_value: number; calculated?: true }[];
    };
    for (const { id, price_value: price, calculated } of datapoints)
      if (!calculated) points.push({ path: `${path}${id}/`, price });
  }
  return points;
}

/** Changes some points, so that each earlier state has series of its own to read. */
export async function addRevisions(service: MeasuredServer, size: DataSize): Promise<void> {
  const headers = { ...(await authorization(service)), 'Content-Type': 'application/json' };
  const points = await storedPoints(service, new RandomRequests(size));
  for (let count = 0; count < 3; count++) {
    const response = await fetch(`http://127.0.0.1:${service.port}${points[count]!.path}`, {
      method: 'PATCH',
      headers,
      body: JSON.stringify({ price_value: 1000 + count }),
    });
    if (response.status !== 200) throw new Error(`A point has status ${response.status}.`);
  }
}

/** Prices change by so much at most. Random ones would leave series in which all stands apart. */
const MAX_CHANGE = 0.02;

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
    warmUp: WARM_UP,
  } as const;
  return [
    {
      ...write,
      name: WRITES[0],
      next: () => ({
        method: 'POST',
        path: `${API_BASE}/Commodity/`,
        headers,
        body: { commodity_name: `Measured ${++created}`, commodity_category: 'cereals and tubers' },
      }),
    },
    {
      ...write,
      name: WRITES[1],
      next: () => {
        const { path, price } = points[random.below(points.length)]!;
        const changed = price * (1 + MAX_CHANGE * (random.below(2001) / 1000 - 1));
        return { method: 'PATCH', path, headers, body: { price_value: Number(changed.toFixed(2)) } };
      },
    },
  ];
}
