import type { TestApp } from './test-app.js';

export const WFP_HEADER =
  'date,admin1,admin2,market,latitude,longitude,category,commodity,unit,priceflag,pricetype,currency,price,usdprice';
const LISTS = [
  ...['PriceSerie', 'PriceSeriePrice', 'FxRate', 'Cpi', 'Market', 'Commodity', 'Source', 'MeasureUnit'],
  ...['PriceType', 'Alias'],
];

/** A row of a price file of the World Food Programme. */
export const wfpRow = (date: string, price: number, { market = 'Mombasa', commodity = 'Maize' } = {}) =>
  `${date},Coast,Mombasa,${market},-4.05,39.67,cereals,${commodity},90 KG,actual,Wholesale,KES,${price},1`;

export const NO_EFFECTS = { added: 0, changed: 0, removed: 0 };
/** The counts of a revert that changes nothing. */
export const NO_COUNTS = {
  points: NO_EFFECTS,
  series: NO_EFFECTS,
  records: NO_EFFECTS,
  corrections: { reopened: 0, rebased: 0, ended: 0 },
  changed_since: 0,
  still_used: 0,
  later_inputs: [],
};

interface Report {
  change_set_id: number;
  digest: string;
}

interface Datapoints {
  uuid: string;
  datapoints: { id: number; date: string; price_value: number }[];
}

/** Imports, changes and reverts what a service has, as a maintainer. */
export class RevertClient {
  private constructor(
    private readonly service: TestApp,
    private readonly admin: { Authorization: string },
  ) {}

  static async of(service: TestApp): Promise<RevertClient> {
    return new RevertClient(service, await service.authHeader());
  }

  send(method: 'post' | 'patch' | 'delete', path: string, body?: object) {
    return this.service.http()[method](`/api/v1/${path}`).set(this.admin).send(body);
  }

  private async upload(query: string, text: string): Promise<Report> {
    const { body } = await this.service
      .http()
      .post(`/api/v1/Import/?${query}`)
      .set({ ...this.admin, 'Content-Type': 'text/csv' })
      .send(text)
      .expect(200);
    return body as Report;
  }

  /** Imports rows of `wfpRow`. */
  prices(...rows: string[]): Promise<Report> {
    return this.upload('format=wfp&country=KEN', [WFP_HEADER, ...rows, ''].join('\n'));
  }

  rates(...rows: string[]): Promise<Report> {
    return this.upload('format=fx&input=rates.csv', ['currency,date,rate', ...rows, ''].join('\n'));
  }

  async revert(id: number, query = '') {
    const { body } = await this.send('post', `ChangeSet/${id}/revert/${query}`).expect(200);
    return body as { change_set: number | null; counts: typeof NO_COUNTS };
  }

  /** Reverts a change set, which does what its dry run says; the change set of the revert. */
  async revertChecked(id: number): Promise<number> {
    const { counts } = await this.revert(id, '?dry_run=true');
    const done = await this.revert(id);
    expect(done.counts).toEqual(counts);
    return done.change_set!;
  }

  /**
   * Reverts what was done after a change set, the newest first.
   * @returns the newest change set now
   */
  async revertSince(last: number): Promise<number> {
    const { body } = await this.service
      .http()
      .get('/api/v1/ChangeSet/?state=done&kind=import,correction,revert&page_size=100')
      .expect(200);
    const { results } = body as { results: { id: number; reverted_by: number | null }[] };
    const reverted = new Set<number>();
    let newest = results[0]?.id ?? last;
    for (const { id, reverted_by: by } of results.filter((one) => one.id > last)) {
      // What reverts it stays unless it has just been reverted itself.
      if (by !== null && !reverted.has(by)) continue;
      newest = (await this.revert(id)).change_set ?? newest;
      reverted.add(id);
    }
    return newest;
  }

  /** All that the service publishes, apart from ids. */
  async published(): Promise<Record<string, unknown>> {
    const lists: Record<string, unknown> = {};
    for (const list of LISTS) {
      const { body } = await this.service.http().get(`/api/v1/${list}/`).expect(200);
      lists[list] = JSON.parse(
        JSON.stringify(body, (name, value: unknown) => (name === 'id' ? undefined : value)),
      ) as unknown;
    }
    return lists;
  }

  /** The points of all series: where each is changed, its month and its price. */
  async points() {
    const { body } = await this.service.http().get('/api/v1/PriceSeriePrice/').expect(200);
    return (body as { results: Datapoints[] }).results.flatMap(({ uuid, datapoints }) =>
      datapoints.map(({ id, date, price_value }) => ({
        address: `PriceSeriePrice/${uuid}/${id}/`,
        date: date.slice(0, 7),
        price: price_value,
      })),
    );
  }

  /** The months and prices of all series, sorted. */
  async values(): Promise<string[]> {
    return (await this.points()).map(({ date, price }) => `${date} ${price}`).sort();
  }

  /** The newest change set. */
  async newest(): Promise<number> {
    const [row] = await this.service.database.rows<{ id: number }>('SELECT MAX(id) AS id FROM change_set');
    return row!.id;
  }
}
