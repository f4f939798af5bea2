import { testsOfDeclared } from '@itsm/shared/declared/declared.contract';
import type { DeclaredClient } from '@itsm/shared/declared/declared.contract';
import { extensionType } from '../extensions/extension-type';
import { startStore } from './start-service';

type Store = Awaited<ReturnType<typeof startStore>>;
let store: Store;
let service: Awaited<ReturnType<Store['start']>>;
beforeAll(async () => {
  store = await startStore();
  service = await store.start();
});
afterAll(() => store.close());

let accounts = 0;
function newClient(): DeclaredClient {
  const client = service.as(`d${(accounts += 1)}`);
  return {
    rest: (method, path, body) => (method === 'get' ? client.get(path) : client[method](path).send(body ?? {})),
    graphql: (query, variables) => client.post('/graphql').send({ query, variables }),
  };
}

describe('UI extensions', () => {
  testsOfDeclared({ type: extensionType, needed: () => ({ name: 'Extension' }), newClient });
});
