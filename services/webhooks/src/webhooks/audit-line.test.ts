import { startEngines, startService } from '../testing/start';
import type { Engines, Service } from '../testing/start';
import { bodyOf, register } from '../testing/webhook-steps';

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

interface Line {
  readonly id: number;
  readonly nodeID: string;
  readonly action: string;
}

const nodeId = (type: string, id: string | number) =>
  Buffer.from(`service.example/${type}/${id}`).toString('base64url');

describe.each([
  ['WebhookAuditLine', 'webhooks', 'webhook:Read'],
  ['WebhookPolicyAuditLine', 'webhook_policies', 'webhook-policy:Read'],
] as const)('%s', (type, plural, scope) => {
  const query = `query ($id: ID!) { _entities(representations: [{ __typename: "${type}", id: $id }]) {
    ... on ${type} { id action personName changes { field from to } } } }`;

  async function linesIn(account: string): Promise<{ readonly id: number; readonly lines: readonly Line[] }> {
    const { id } =
      plural === 'webhooks'
        ? await register(service, account, { name: 'a' })
        : bodyOf(await service.as(account).post(`/v1/${plural}`, { name: 'a' }).expect(201));
    await service.as(account).patch(`/v1/${plural}/${id}`, { name: 'b' }).expect(200);
    return { id, lines: (await service.as(account).get(`/v1/${plural}/${id}/audit`).expect(200)).body as Line[] };
  }

  test('each line is found by its node id, in its account only', async () => {
    const { id, lines } = await linesIn(type.toLowerCase());
    const other = await linesIn(`${type.toLowerCase()}-other`);
    expect(lines.map(({ nodeID }) => nodeID)).toEqual([nodeId(type, `${id}-1`), nodeId(type, `${id}-2`)]);
    for (const { nodeID, action } of lines) {
      const { body } = await service.as(type.toLowerCase()).graphql(query, { id: nodeID }).expect(200);
      expect(body).toMatchObject({ data: { _entities: [{ id: nodeID, action, personName: 'Ada Administrator' }] } });
    }
    for (const nothing of [
      ...other.lines.map(({ nodeID }) => nodeID),
      ...[`${id}-3`, `${id}`, `${id}-x`, `-1`, `0-1`, '987654321-1'].map((text) => nodeId(type, text)),
      nodeId('Webhook', id),
      'junk',
    ]) {
      const { body } = await service.as(type.toLowerCase()).graphql(query, { id: nothing }).expect(200);
      expect([nothing, body]).toEqual([nothing, { data: { _entities: [null] } }]);
    }
  });

  test('its author is named to tokens that may read people', async () => {
    const account = `${type.toLowerCase()}-author`;
    const { id, lines } = await linesIn(account);
    const seenWith = async (...actions: string[]) => {
      const by = service.as(account, { scopes: [{ effect: 'allow' as const, actions }] });
      const { body } = await by.graphql(query, { id: lines[0]?.nodeID }).expect(200);
      const [line] = (body as { data: { _entities: { personName: string | null }[] } }).data._entities;
      const rest = await by.get(`/v1/${plural}/${id}/audit`).expect(200);
      return { graphql: line?.personName, rest: (rest.body as { person: unknown }[])[0]?.person };
    };
    const name = 'Ada Administrator';
    expect(await seenWith(scope, 'person:Read')).toMatchObject({ graphql: name, rest: { name } });
    expect(await seenWith(scope)).toEqual({ graphql: null, rest: null });
  });

  test('a line is for administrators with the scope', async () => {
    const account = `${type.toLowerCase()}-scope`;
    const { lines } = await linesIn(account);
    for (const claims of [
      { scopes: [{ effect: 'allow' as const, actions: ['request:*'] }] },
      { accounts: { [account]: ['specialist' as const] } },
    ]) {
      const { body } = await service.as(account, claims).graphql(query, { id: lines[0]?.nodeID }).expect(200);
      expect(body).toMatchObject({ data: { _entities: [null] }, errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    }
    const allowed = { scopes: [{ effect: 'allow' as const, actions: [scope] }] };
    const { body } = await service.as(account, allowed).graphql(query, { id: lines[0]?.nodeID }).expect(200);
    expect(body).toMatchObject({ data: { _entities: [{ action: 'created' }] } });
  });
});
