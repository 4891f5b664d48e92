/** What `@jest/globals` exports to tests that Node.js loads: the `jest` of the file that is run. */
export const jest = new Proxy(
  {},
  { get: (_, name) => Reflect.get(globalThis[Symbol.for('jest of this file')], name) },
);
