import { routeTable } from '../../gateway/src/rest/route-table';
import { fieldQueries } from './testing/field-queries';
import { startScopedPlatform } from './testing/scoped-platform';
import type { ScopedPlatform } from './testing/scoped-platform';

/** Compresses badly, and is in no other text. */
const secret = 'mW4zQ8rT1vX6yB3nK9pL2sD7fG5hJ0cA';
/** So that every answer with a webhook is long enough to be compressed. */
const name = 'A webhook with a long name. '.repeat(4).trim();

let platform: ScopedPlatform;
beforeAll(async () => {
  platform = await startScopedPlatform();
  for (let n = 0; n < 5; n += 1) {
    const input = `{ event: "request.create", name: "${name} ${n}", uri: "https://receiver.example/${n}?key=${secret}" }`;
    const answer = await platform.send(
      platform.administrator,
      `mutation { webhookCreate(input: ${input}) { webhook { id name uri } errors { message } } }`,
    );
    expect(await answer.json()).toMatchObject({ data: { webhookCreate: { errors: [] } } });
  }
});
afterAll(() => platform.close());

interface Seen {
  readonly name: string;
  readonly isCompressed: boolean;
  readonly hasSecret: boolean;
}

async function seen(name: string, answer: Response): Promise<Seen> {
  const hasSecret = (await answer.text()).includes(secret);
  return { name, isCompressed: answer.headers.has('content-encoding'), hasSecret };
}

function expectApart(all: readonly Seen[]): void {
  expect(all.filter(({ isCompressed, hasSecret }) => isCompressed && hasSecret)).toEqual([]);
  // Both kinds occur.
  expect(all.filter(({ isCompressed }) => isCompressed).length).toBeGreaterThan(1);
  expect(all.filter(({ hasSecret }) => hasSecret).length).toBeGreaterThan(0);
}

test('no answer of a query with the secret of an address is compressed', async () => {
  const all: Seen[] = [];
  const fields = fieldQueries(platform.schema, (one) => one !== 'Query.node');
  for (const { name: field, query } of fields.filter((one) => /webhook/i.test(one.query)))
    all.push(await seen(field, await platform.send(platform.administrator, query)));
  expectApart(all);
});

test('no answer of REST with the secret of an address is compressed', async () => {
  const all: Seen[] = [];
  const paths = routeTable.flatMap(({ path, access }) => (access === 'caller' && !path.includes(':') ? [path] : []));
  for (const path of [...paths, '/v1/webhooks?fields=*'])
    all.push(await seen(path, await platform.get(platform.administrator, path, 'application/json')));
  expectApart(all);
});

/** Fields with such names that queries reach, none of which is a secret. */
const harmless = [
  'OAuthApplication.privateKeyJwtRequired',
  'OAuthApplication.tokens',
  'SsoConfiguration.hasClientSecret',
];

test('queries reach no field that is named like a secret', () => {
  const suspicious = fieldQueries(platform.schema, () => true).map(({ name: field }) => field);
  const named = suspicious.filter((field) =>
    /\.\w*(secret|token|password|privateKey|recovery|sealed|code$)/i.test(field),
  );
  expect(named.filter((field) => !harmless.includes(field))).toEqual([]);
});
