import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const paths = {
  'itsm-auth': '/v1/people',
  'itsm-graph': '/v1/requests',
  'itsm-webhooks': '/v1/webhooks',
  'itsm-webhook-delivery': '/v1/webhook_deliveries',
  'itsm-ui-extensions': '/v1/ui_extensions',
};

/** The audience of the token that a service got in a REST call. */
async function audienceAt(path: string, token: string): Promise<unknown> {
  const response = await gateway.get(path, { authorization: `Bearer ${token}`, 'x-service-account': 'wdc' });
  const { headers } = (await response.json()) as { headers: { authorization: string } };
  const [, payload = ''] = headers.authorization.split('.');
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { aud: unknown }).aud;
}

test('each service gets a token whose audience is that service alone', async () => {
  const token = gateway.auth.issue();
  for (const [audience, path] of Object.entries(paths)) expect(await audienceAt(path, token)).toBe(audience);
});

test('a token for another resource server is refused', async () => {
  const call = async (token: string) =>
    (await gateway.get('/v1/people', { authorization: `Bearer ${token}`, 'x-service-account': 'wdc' })).status;
  expect(await call(gateway.auth.issueFor('http://localhost:4000'))).toBe(200);
  for (const other of ['https://another.example', 'http://localhost:4000/', ''])
    expect([other, await call(gateway.auth.issueFor(other))]).toEqual([other, 401]);
});

test('a GraphQL call of several services reaches each with its token', async () => {
  const query = '{ me { id name } requests(first: 1) { nodes { requestedBy { name } } } }';
  const answer = await (await gateway.post(gateway.auth.issue(), { query })).json();
  expect(answer).toMatchObject({
    data: { me: { id: '1' }, requests: { nodes: [{ requestedBy: { name: 'Person 7' } }] } },
  });
});
