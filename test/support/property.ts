import fc from 'fast-check';

/** Runs of each property. To repeat a failure, set `PROPERTY_SEED` to the seed that was printed. */
const RUNS = 1000;

/**
 * Asserts that a property holds for generated input, and prints the seed so that a run can be
 * repeated.
 * @param name of the property, for the printed line
 */
export async function assertProperty<T>(
  name: string,
  property: fc.IRawProperty<T>,
  options: fc.Parameters<T> = {},
): Promise<void> {
  const random = () => Math.trunc(Math.random() * 0x7fffffff);
  const seed = options.seed ?? (Number(process.env.PROPERTY_SEED) || random());
  process.stdout.write(`property "${name}": seed ${seed}\n`);
  await fc.assert(property as fc.IAsyncProperty<T>, { numRuns: RUNS, ...options, seed });
}
