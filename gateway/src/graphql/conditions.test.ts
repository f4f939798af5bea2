import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const body = async (response: Response): Promise<unknown> => response.json();

test('@skip and @include are honoured, alone and together', async () => {
  const token = gateway.auth.issue();
  const query = 'query ($with: Boolean = true) { me { id } people(first: 1) @include(if: $with) { totalCount } }';
  expect(await body(await gateway.post(token, { query }))).toEqual({
    data: { me: { id: '1' }, people: { totalCount: 1 } },
  });
  expect(await body(await gateway.post(token, { query, variables: { with: false } }))).toEqual({
    data: { me: { id: '1' } },
  });
});

test('a condition that is null is refused, as it is neither true nor false', async () => {
  const query = 'query ($with: Boolean = true) { me { id name @include(if: $with) } }';
  const response = await gateway.post(gateway.auth.issue(), { query, variables: { with: null } });
  expect(await body(response)).toEqual({
    errors: [
      {
        message: 'Variable "$with" must not be null, as it stands in @skip or @include.',
        extensions: { code: 'BAD_USER_INPUT' },
      },
    ],
  });
});
