import { limits } from '@itsm/shared/pricing/limits';
import type { Limit } from '../testing/graphql-page';
import { limitSamples } from '../testing/limit-samples';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

interface Body {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly { readonly message: string; readonly extensions: Readonly<Record<string, unknown>> }[];
}

const ask = async (query: string): Promise<Body> =>
  (await gateway.post(gateway.auth.issue(), { query })).json() as Promise<Body>;

test.each(Object.keys(limits) as Limit[])('%s: the document that exceeds the limit is not served', async (name) => {
  const sample = limitSamples[name];
  if ('lengthOf' in sample) {
    const { data = {}, errors } = await ask(sample.exceeds);
    expect(errors).toBeUndefined();
    expect(sample.lengthOf(data)).toBe(limits[name]);
    return;
  }
  const { code, exceeds, keeps, named = limits[name] } = sample;
  const before = gateway.executions();
  const { data, errors } = await ask(exceeds);
  expect(data).toBeUndefined();
  expect(errors).toHaveLength(1);
  expect(errors?.[0]?.extensions).toMatchObject({ code, limit: named });
  expect(gateway.executions()).toBe(before);
  expect((await ask(keeps)).errors ?? []).toEqual([]);
});
