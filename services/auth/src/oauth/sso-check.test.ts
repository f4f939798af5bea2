import { claimsFor, withLocalProvider } from '../testing/exchange';
import { callGraph, nodeId } from '../testing/graphql';
import { json, sign } from '../testing/local-provider';
import type { LocalKey, LocalProvider } from '../testing/local-provider';
import type { Auth, SeededPerson } from '../testing/start-auth';
import { seedPerson } from '../testing/start-auth';

let auth: Auth;
let key: LocalKey;
let provider: LocalProvider;
withLocalProvider((started) => ({ auth, key, provider } = started));

const audience = 'https://itsm.example/api';
const text = `mutation ($input: SsoConfigurationCheckInput!) { ssoConfigurationCheck(input: $input) {
  steps { name successful text } errors { message path } } }`;

const check = (person: SeededPerson, id: number, input: object = {}, as: object = {}) =>
  callGraph(auth, person, text, { input: { id: nodeId('SsoConfiguration', id), ...input } }, as);

async function seed() {
  const person = await seedPerson(auth);
  const { id } = await auth.app.services.ssoConfigurations.create(person.accountId, {
    name: 'Our provider',
    issuer: provider.issuer,
    identifier: 'primary_email',
    clientId: audience,
  });
  const token = await sign(key, claimsFor(auth, provider.issuer, person));
  const stepsOf = async (input: object) => {
    const { data } = await check(person, id, input);
    const { steps } = data?.['ssoConfigurationCheck'] as { steps: { name: string; successful: boolean }[] };
    return steps.map(({ name, successful }) => [name, successful]);
  };
  return { person, id, token, stepsOf };
}

test('the provider is checked, and the person of a token is named, twice with the same token', async () => {
  const { person, id, token, stepsOf } = await seed();
  expect(await stepsOf({})).toEqual([
    ['Discovery', true],
    ['Keys', true],
  ]);
  for (const given of [{ audience }, {}]) {
    const { data } = await check(person, id, { token, ...given });
    expect(data?.['ssoConfigurationCheck']).toEqual({
      steps: [
        { name: 'Discovery', successful: true, text: expect.stringMatching(/keys are at/) as string },
        { name: 'Keys', successful: true, text: expect.stringMatching(/^1 usable/) as string },
        { name: 'Token', successful: true, text: expect.stringMatching(/^Signature/) as string },
        { name: 'Person', successful: true, text: `Ellen Brown (${person.email}) of ${person.accountId}` },
      ],
      errors: [],
    });
  }
  expect(auth.log.join('')).not.toContain(token);
});

test('the first step that fails is the last one, and says why', async () => {
  const { stepsOf, token } = await seed();
  expect((await stepsOf({ token, audience: 'another' })).at(-1)).toEqual(['Token', false]);
  provider.answers.discovery = json({ ...provider.metadata, issuer: 'https://another.example' });
  expect(await stepsOf({ token })).toEqual([['Discovery', false]]);
  provider.answers.discovery = json(provider.metadata);
});

test('what is too long is refused, and what is not there is not found', async () => {
  const { person, id } = await seed();
  const input = { audience: 'x'.repeat(256), token: 'x'.repeat(16_385) };
  expect((await check(person, id, input)).data?.['ssoConfigurationCheck']).toEqual({
    steps: null,
    errors: [
      { message: 'Audience is too long (at most 255 characters)', path: ['audience'] },
      { message: 'Token is too long (at most 16384 characters)', path: ['token'] },
    ],
  });
  const notFound = { errors: [{ message: 'Not Found' }] };
  expect(await check(await seedPerson(auth), id)).toMatchObject(notFound);
  expect(await check(person, 987_654)).toMatchObject(notFound);
  expect(await callGraph(auth, person, text, { input: { id: nodeId('Person', person.id) } })).toMatchObject(notFound);
});

test('a token without the scope of people does not learn the name and the address of the person', async () => {
  const { person, id, token } = await seed();
  const scopes = [{ effect: 'allow', actions: ['sso-configuration:Update'] }];
  const answer = await check(person, id, { token }, { scopes });
  expect(answer.data?.['ssoConfigurationCheck']).toMatchObject({
    steps: [{}, {}, {}, { name: 'Person', successful: true, text: `A person of ${person.accountId}` }],
  });
  expect(JSON.stringify(answer)).not.toContain(person.email);
});

test('it needs the scope of a change and an account administrator', async () => {
  const { person, id } = await seed();
  const scopes = [{ effect: 'allow', actions: ['sso-configuration:Read'] }];
  expect(await check(person, id, {}, { scopes })).toMatchObject({
    errors: [{ message: 'Missing required scope(s): sso-configuration:Update' }],
  });
  const specialist = await seedPerson(auth, { accountId: person.accountId, roles: ['specialist'] });
  expect(await check(specialist, id)).toMatchObject({ errors: [{ message: 'Forbidden' }] });
});
