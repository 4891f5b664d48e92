import { availableParallelism } from 'node:os';

/** Jest in its ES module mode; swc strips types, `npm run check` checks them. */
export default {
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.e2e-spec.ts', '<rootDir>/test/**/*.spec.ts'],
  testEnvironment: '<rootDir>/test/support/environment.mjs',
  setupFiles: ['<rootDir>/test/support/commonjs-packages.mjs'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '/client-files\\.js$': '<rootDir>/test/support/client-files.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          keepClassNames: true,
          experimental: { keepImportAttributes: true },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  // Modules that are loaded anew for each file are never collected: a process that runs all files
  // reaches the limit of its heap, and hardly moves before. Workers are replaced in time; Jest has
  // none where it may use one only.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  workerIdleMemoryLimit: '1500MB',
  // A bound against hanging, not a measure: tests assert no times, and machines are slow and busy.
  testTimeout: 60_000,
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.ts', '!src/**/*.spec.ts'],
};
