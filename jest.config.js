import { availableParallelism } from 'node:os';
import { SWC_OPTIONS } from './test/support/typescript-cache.mjs';

/** What a run on a server leaves out: specs, which use no database. */
const EMBEDDED_ALONE = ['<rootDir>/src/', '(?<!e2e-)spec\\.ts$'];

/**
 * Files share the modules of their process, which Node.js loads (decision 20). A file that changes
 * classes names `environment.mjs` in its first line and is isolated by Jest in its ES module mode;
 * `npm run test:isolated` does so with every file. swc strips types, `npm run check` checks them.
 */
export default {
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.e2e-spec.ts', '<rootDir>/test/**/*.spec.ts'],
  testEnvironment: '<rootDir>/test/support/jest/shared-environment.mjs',
  runtime: '<rootDir>/test/support/jest/shared-runtime.mjs',
  testSequencer: '<rootDir>/test/support/jest/longest-first.mjs',
  setupFiles: ['<rootDir>/test/support/commonjs-packages.mjs'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    '/client-files\\.js$': '<rootDir>/test/support/client-files.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
    '^.+\\.ts$': ['@swc/jest', { ...SWC_OPTIONS, sourceMaps: 'inline' }],
  },
  testPathIgnorePatterns: ['/node_modules/', ...(process.env.TEST_DATABASE_URL ? EMBEDDED_ALONE : [])],
  // One more than there are processors: tests wait for processes, password hashes and the disk.
  maxWorkers: availableParallelism() + 1,
  // What isolated files load is never collected: a process that ran all of them would reach the
  // limit of its heap, and hardly move before.
  workerIdleMemoryLimit: '1500MB',
  // A bound against hanging, not a measure: tests assert no times, and machines are slow and busy.
  testTimeout: 60_000,
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.ts', '!src/**/*.spec.ts'],
};
