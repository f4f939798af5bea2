import { waitUntil } from '@itsm/shared/testing/wait-until';
import type { Choices, Deployment } from './world';

/** What operators choose differently, in one overlay each. */
export const choices: Readonly<Record<string, Choices>> = {
  'qa-us': { gateway: { EXECUTOR: 'apollo', SHADOW_RATIO: '1' } },
  'qa-uk': { mongodb: 'srv' },
};

/** The processes work as was chosen, after a query: what they were started with and their own metrics say so. */
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
  // The executor that is not chosen is asked behind the answer.
  if (gateway['SHADOW_RATIO'] !== undefined)
    await waitUntil('a comparison', async () => (await outcomes()).length > 0, 20_000);
  expect(await outcomes()).toEqual(gateway['SHADOW_RATIO'] === undefined ? [] : ['same']);
}
