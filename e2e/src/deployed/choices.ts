import { overlayNames } from '../../../deploy/rendered';
import { waitUntil } from '@itsm/shared/testing/wait-until';
import type { Choices, Deployment } from './world';

/** Options of operators, each tested in one overlay. */
export const choices: Readonly<Record<string, Choices>> = {
  'qa-us': { gateway: { EXECUTOR: 'apollo', SHADOW_RATIO: '1' } },
  'qa-uk': { mongodb: 'srv' },
};

/** The overlays of one environment differ in host, region and addresses alone: one of each, and those with options. */
const inShort = ['demo-global', 'production-global', 'production-au', ...Object.keys(choices)];
export const overlays = process.env['OVERLAYS'] === 'short' ? inShort : overlayNames;

/** Checks that the processes use the chosen options, by their environment and their metrics after a query. */
export async function expectChoices({ pods }: Deployment, { gateway = {}, mongodb }: Choices = {}): Promise<void> {
  const ask = async (name: string, script: string) =>
    (await pods.get(name)?.exec(['/nodejs/bin/node', '-e', script]))?.output ?? '';
  const read = (name: string, file: string) => ask(name, `console.log(require('fs').readFileSync('${file}', 'utf8'))`);

  const environment = (await read('gateway', `/proc/${pods.get('gateway')?.pid}/environ`)).split('\0');
  expect(environment).toEqual(
    expect.arrayContaining(Object.entries(gateway).map(([name, value]) => `${name}=${value}`)),
  );
  const url = await read('graph', '/run/secrets/itsm/MONGODB_URL');
  expect(url.split('://')[0]).toBe(mongodb === 'srv' ? 'mongodb+srv' : 'mongodb');

  const outcomes = async () => {
    const metrics = await ask(
      'gateway',
      "fetch('http://127.0.0.1:9090/metrics').then((r) => r.text()).then(console.log)",
    );
    const found = metrics.matchAll(/^gateway_shadow_queries_total\{outcome="(\w+)"\} ([1-9]\d*)$/gm);
    return [...found].map(([, outcome]) => outcome);
  };
  // The shadow executor runs after the answer was sent.
  if (gateway['SHADOW_RATIO'] !== undefined) await waitUntil('a comparison', async () => (await outcomes()).length > 0);
  expect(await outcomes()).toEqual(gateway['SHADOW_RATIO'] === undefined ? [] : ['same']);
}
