import { getIntrospectionQuery } from 'graphql';
import { startGateway } from '../testing/start-gateway';
import type { StartedGateway } from '../testing/start-gateway';

let gateway: StartedGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

const body = async (response: Response): Promise<Record<string, unknown>> =>
  (await response.json()) as Record<string, unknown>;

test('the introspection of the newest GraphQL is answered', async () => {
  const query = getIntrospectionQuery({
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  });
  const response = await gateway.post(gateway.auth.issue(), { query });
  expect(response.status).toBe(200);
  expect(await body(response)).toMatchObject({ data: { __schema: { queryType: { name: 'Query' } } } });
});

test('every field that the schema of the schema announces is answered', async () => {
  const token = gateway.auth.issue();
  const ask = async (query: string) => {
    const response = await gateway.post(token, { query });
    return { status: response.status, ...((await body(response)) as { data?: unknown; errors?: unknown }) };
  };
  const types = ['__Schema', '__Type', '__Field', '__InputValue', '__EnumValue', '__Directive'];
  const reach: Readonly<Record<string, (fields: string) => string>> = {
    __Schema: (fields) => `{ rateLimit { cost } x: __schema { ${fields} } }`,
    __Type: (fields) => `{ x: __type(name: "Query") { ${fields} } me { id } }`,
    __Field: (fields) => `{ me { id } __type(name: "Query") { fields { ${fields} } } }`,
    __InputValue: (fields) => `{ __schema { directives { args { ${fields} } } } }`,
    __EnumValue: (fields) => `{ __type(name: "__TypeKind") { enumValues { ${fields} } } }`,
    __Directive: (fields) => `{ __schema { directives { ${fields} } } }`,
  };
  for (const type of types) {
    const { data } = await ask(
      `{ __type(name: "${type}") { fields { name type { kind ofType { kind ofType { kind } } } } } }`,
    );
    const announced = (data as { __type: { fields: { name: string; type: object }[] } }).__type.fields;
    const fields = announced.map(({ name, type: given }) =>
      JSON.stringify(given).includes('OBJECT') ||
      (JSON.stringify(given).includes('LIST') && !['locations'].includes(name))
        ? `${name} { __typename }`
        : name,
    );
    expect(fields.length).toBeGreaterThan(3);
    const answer = await ask((reach[type] as (fields: string) => string)(fields.join(' ')));
    expect([type, answer.status, answer.errors]).toEqual([type, 200, undefined]);
  }
});

test.each([
  ['a control character', 'x\\u0000', 'control character U+0000 at position 1'],
  ['an escape', '\\u001b', 'control character U+001B at position 0'],
])('a literal with %s is refused with its place', async (_what, literal, problem) => {
  const query = `{ __type(name: "${literal}") { name } }`;
  const response = await gateway.post(gateway.auth.issue(), { query });
  expect(response.status).toBe(400);
  expect(await body(response)).toMatchObject({ message: `The text at line 1, column 16 has the ${problem}` });
});
