/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';
import { compilerOptions } from './scripts/compiler-options.cjs';

/** ES modules that jest cannot `require` on Node 20 are compiled like our own code. */
export const esModules = ['jose', 'eta', 'parse5', 'entities'];

const config: Config = {
  testEnvironment: '<rootDir>/scripts/jest/environment.cjs',
  runtime: '<rootDir>/scripts/jest/runtime.cjs',
  testEnvironmentOptions: { customExportConditions: ['@itsm/source', 'node', 'node-addons'] },
  testMatch: ['<rootDir>/{shared,gateway,embedded,services,scripts,deploy}/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/', '/.tsc/', '\\.engine\\.test\\.ts$'],
  modulePathIgnorePatterns: ['/dist/', '/.tsc/'],
  transform: { '\\.[tj]s$': ['@swc/jest', { ...compilerOptions, sourceMaps: 'inline' }] },
  transformIgnorePatterns: [`/node_modules/(?!(${esModules.join('|')})/)`],
  maxWorkers: 2,
  workerIdleMemoryLimit: '200MB',
  testTimeout: 15_000,
};
export default config;
