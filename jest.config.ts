/** @jest-config-loader esbuild-register */
import { availableParallelism } from 'node:os';
import type { Config } from 'jest';
import { compilerOptions } from './scripts/compiler-options.cjs';
import notWarped from './scripts/jest/not-warped.cjs';
import { factor } from './scripts/jest/warp.cjs';

const config: Config = {
  testEnvironment: '<rootDir>/scripts/jest/environment.cjs',
  runtime: '<rootDir>/scripts/jest/runtime.cjs',
  testEnvironmentOptions: { customExportConditions: ['@itsm/source', 'node', 'node-addons'] },
  testMatch: ['<rootDir>/{shared,gateway,console,embedded,packages,services,scripts,deploy}/**/*.test.ts'],
  testPathIgnorePatterns: [
    '/node_modules/',
    '/dist/',
    '\\.engine\\.test\\.ts$',
    ...(factor > 1 ? Object.keys(notWarped).map((path) => `<rootDir>/${path}$`) : []),
  ],
  modulePathIgnorePatterns: ['/dist/'],
  transform: { '\\.[tj]s$': ['@swc/jest', { ...compilerOptions, sourceMaps: 'inline' }] },
  reporters: ['default', '<rootDir>/scripts/jest/reporter.mjs'],
  maxWorkers: Math.max(2, availableParallelism()),
  // Libraries keep a little of each suite; a worker that has grown to this is replaced.
  workerIdleMemoryLimit: '500MB',
  // The only limit of a test or hook. It ends what hangs. It says nothing about speed: on a busy machine a suite takes
  // ten times as long.
  testTimeout: 300_000 * factor,
};
export default config;
