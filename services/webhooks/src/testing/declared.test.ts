import { testsOfDeclared } from '@itsm/shared/declared/declared.contract';
import type { DeclaredClient } from '@itsm/shared/declared/declared.contract';
import { policyType } from '../policies/policy';
import { webhookType } from '../webhooks/webhook-type';
import { startEngines, startService } from './start';
import type { Engines, Service } from './start';

let engines: Engines;
let service: Service;
beforeAll(async () => {
  engines = await startEngines();
  service = await startService(engines);
});
afterAll(async () => {
  await service.close();
  await engines.close();
});

/** Tested with the rules of signing, in `policies/webhook-signing.test.ts`. */
const apart: readonly string[] = ['webhookPolicy', 'openidConnectDiscovery'];

let accounts = 0;
function newClient(): DeclaredClient {
  const client = service.as(`d${(accounts += 1)}`);
  return {
    rest: (method, path, body) => (method === 'get' ? client.get(path) : client[method](path, body ?? {})),
    graphql: (query, variables) => client.graphql(query, variables),
  };
}

describe('policies', () => {
  testsOfDeclared({ type: policyType, needed: () => ({}), newClient });
});

describe('webhooks', () => {
  testsOfDeclared({
    type: { ...webhookType, fields: webhookType.fields.filter(({ name }) => !apart.includes(name)) },
    needed: () => ({ event: 'request.create', uri: 'https://receiver.example/hook' }),
    values: {
      uri: ['https://receiver.example/first', 'https://receiver.example/second'],
      mailExceptionsTo: ['first@x.example', 'second@x.example'],
    },
    newClient,
  });
});
