import fc from 'fast-check';

/** Runs of each property; a failing one is repeated with `PROPERTY_SEED`, the number that its line printed. */
const RUNS = 1000;

/**
 * Asserts that a property holds for generated input. The seed is printed, so that any run can be repeated exactly.
 * @param name what the property says, for the printed line
 */
export async function holds<T>(
  name: string,
  property: fc.IRawProperty<T>,
  options: fc.Parameters<T> = {},
): Promise<void> {
  const seed = Number(process.env.PROPERTY_SEED) || Math.trunc(Math.random() * 0x7fffffff);
  process.stdout.write(`property "${name}": seed ${seed}\n`);
  await fc.assert(property as fc.IAsyncProperty<T>, { numRuns: RUNS, seed, ...options });
}
