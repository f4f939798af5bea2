import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { startGateway } from '../testing/start-gateway';

test('the gateway connects to its services only, from start to stop', async () => {
  const hosts = new Set<string>();
  const note = (message: unknown): void => void hosts.add((message as { request: ClientRequest }).request.host);
  subscribe('http.client.request.start', note);
  const gateway = await startGateway();
  const token = gateway.auth.issue();
  expect((await gateway.post(token, { query: '{ me { id } }' })).status).toBe(200);
  const headers = { authorization: `Bearer ${token}`, 'x-service-account': 'wdc' };
  expect((await gateway.get('/v1/webhooks', headers)).status).toBe(200);
  await gateway.close();
  unsubscribe('http.client.request.start', note);
  expect([...hosts]).toEqual(['127.0.0.1']);
});
