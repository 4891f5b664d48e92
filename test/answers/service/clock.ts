/*
 * Preloaded into the service's process: shifts `Date` by CLOCK_OFFSET milliseconds, so that every
 * recording takes place on the same day and relative dates select the same data. Timers and
 * `performance.now()` are not affected.
 */

const offset = Number(process.env.CLOCK_OFFSET ?? 0);
const RealDate = Date;
const now = () => RealDate.now() + offset;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, values: unknown[], newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget) as object,
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown)),
});
