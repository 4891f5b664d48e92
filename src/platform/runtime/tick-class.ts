import { createHook } from 'node:async_hooks';

const kept: object[] = [];

/**
 * Keeps `process.nextTick` fast, which each request calls several times. V8 discards the hidden
 * class of the objects that Node makes there if a full garbage collection finds none of them, and
 * makes each later one four times as slowly, until the process ends. One that lives on prevents it.
 * (`executionAsyncResource()` would return one, too, and slow every callback from C++ afterwards.)
 * @returns what is kept
 */
export function keepTickClass(): readonly object[] {
  const hook = createHook({
    init(_asyncId, type, _triggerAsyncId, resource) {
      if (type === 'TickObject') kept.push(resource);
    },
  }).enable();
  process.nextTick(() => undefined);
  hook.disable();
  return kept;
}
