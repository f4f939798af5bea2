import { startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { bodyOf, input } from '../testing/webhook-steps';

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

let accounts = 0;
type Method = 'get' | 'patch' | 'put' | 'delete';

describe.each([
  ['/v1/webhooks', input],
  ['/v1/webhook_policies', { name: 'orders' }],
])('%s', (collection, created) => {
  /** A record of a new account, and calls for it. */
  async function make() {
    const as = service.as(`m${(accounts += 1)}`);
    const { id } = bodyOf(await as.post(collection, created).expect(201));
    const path = `${collection}/${id}`;
    const tag = async (query = ''): Promise<string> => (await as.get(path + query).expect(200)).headers['etag'] ?? '';
    const send = (method: Method, expected: string) => {
      const call = method === 'patch' || method === 'put' ? as[method](path, { name: 'changed' }) : as[method](path);
      return call.set('If-Match', expected);
    };
    return { as, path, tag, send };
  }

  test.each([
    ['the tag', (tag: string) => tag],
    ['the tag as a proxy weakens it', (tag: string) => `W/${tag}`],
    ['a tag of the same version in another form', (tag: string) => tag.replace(/\.[^"]*/, '.0123456789abcdef')],
    ['a list with the tag', (tag: string) => `"a,b", ${tag} ,W/"c"`],
    ['*', () => '*'],
  ])('a write and a read with %s are done', async (_what, expected) => {
    for (const [method, status] of [
      ['get', 200],
      ['patch', 200],
      ['put', 200],
      ['delete', 204],
    ] as const) {
      const { send, tag } = await make();
      await send(method, expected(await tag())).expect(status);
    }
  });

  test.each([['W/"1-other"'], ['"a", "b"'], [''], ['nothing'], ['"1"'], ['"11.0123456789abcdef"']])(
    'with %j nothing is done: 412',
    async (expected) => {
      const { as, path, tag, send } = await make();
      const before = await tag();
      expect(before).toMatch(/^"1\.[\w-]{16}"$/);
      for (const method of ['get', 'patch', 'put', 'delete'] as const)
        await send(method, expected).expect(412, { message: 'Precondition Failed' });
      expect(await tag()).toBe(before);
      await as.get(path).expect(200);
    },
  );

  test('the tag from before a change does not match any more', async () => {
    const { as, path, tag, send } = await make();
    const before = await tag();
    await as.patch(path, { disabled: true }).expect(200);
    await send('patch', before).expect(412);
    await send('delete', before).expect(412);
    await send('patch', await tag('?fields=name')).expect(200);
  });

  test.each(['patch', 'delete'] as const)(
    'of two at once with one tag, %s and a change, one is refused',
    async (method) => {
      const { as, path, tag, send } = await make();
      const known = await tag();
      const answers = await Promise.all([
        send(method, known),
        as.patch(path, { disabled: true }).set('If-Match', known),
      ]);
      const statuses = answers.map(({ status }) => status).sort();
      // Of a deleted record, the other caller learns that it is gone.
      expect(
        [
          [200, 412],
          [204, 404],
          [204, 412],
        ].map(String),
      ).toContain(String([Math.min(...statuses), Math.max(...statuses)]));
    },
  );

  test('what is refused anyway is refused as before', async () => {
    const { as, path, send } = await make();
    await as.patch(path, { disabled: 'x' }).set('If-Match', 'W/"1-other"').expect(422);
    await as.patch(`${collection}/999999`, {}).set('If-Match', '*').expect(404);
    await send('patch', '*').expect(200);
  });
});
