import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { generatedServices, generatedSupergraph } from '../testing/generated-graph';

const compiled = join(__dirname, '../../dist/execution');
/** Runs in a process of its own, as this one has loaded everything; prints whether @apollo/gateway was loaded. */
const script = `
  const { loadExecutor } = require('${compiled}/load-executor.js');
  const { createPlanner, planHere } = require('${compiled}/query-planner.js');
  const { settings, supergraphSdl, names } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
  const subgraphs = new Map(names.map((name) => [name, async () => undefined]));
  const logger = { error() {}, warn() {}, info() {}, debug() {} };
  const planner = createPlanner(supergraphSdl);
  loadExecutor(settings, { supergraphSdl, planner, plan: planHere(planner), subgraphs, logger }).then(() => {
    process.stdout.write(String(Object.keys(require.cache).some((path) => path.includes('@apollo/gateway'))));
  });`;

test.each([
  ['compiled', 0, 'false'],
  ['compiled', 0.1, 'true'],
  ['apollo', 0, 'true'],
])('with %s and a share of %d in the shadow @apollo/gateway is loaded: %s', (chosen, shadowRatio, expected) => {
  const names = [...generatedServices.keys()];
  const input = JSON.stringify({ settings: { chosen, shadowRatio }, supergraphSdl: generatedSupergraph(), names });
  expect(execFileSync(process.execPath, ['-e', script], { input, encoding: 'utf8' })).toBe(expected);
});
