/** Mutation tests of pure code by its unit tests: see CONTRIBUTING.md. */
export default {
  mutate: [
    'src/prices/derive/{conversion,derivation}.ts',
    'src/price-series/{calendar,periodicity}.ts',
    'src/auth/bearer.strategy.ts',
    'src/auth/tokens/{signing-keys,token-claims}.ts',
  ],
  testRunner: 'jest',
  jest: {
    config: {
      testMatch: ['<rootDir>/src/{auth,auth/tokens,price-series,prices/derive}/*.spec.ts'],
      testEnvironment: 'node',
    },
  },
  testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings'],
  coverageAnalysis: 'perTest',
  concurrency: 1,
  ignorePatterns: ['/tsconfig*.json', '/bench', '/dist', '/docs', '/sample', '/var'],
  tempDirName: 'var/stryker',
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: 'var/mutation.json' },
  clearTextReporter: { allowColor: false, reportTests: false },
  // Shrinking a property that a mutant breaks takes long; a timeout counts as detected.
  timeoutMS: 20_000,
};
