// The auth service as deployed.
import { createRequire } from 'node:module';
import { answer } from '../measure.mjs';
import { startProvider } from './provider.mjs';

const load = createRequire(import.meta.url);
const { createApp } = load('../../services/auth/dist/app.js');
const { loadConfig } = load('../../services/auth/dist/config.js');
const { createApplicationRepository } = load('../../services/auth/dist/clients/application.repository.js');
const { createTokenFamilyRepository } = load('../../services/auth/dist/tokens/token-family.repository.js');
const { createIssueCode } = load('../../services/auth/dist/sign-in/issue-code.js');
const { listen } = load('../../shared/dist/running/listen.js');
const { connectCoordination } = load('../../shared/dist/stores/coordination/connect-coordination.js');
const { createMemoryCoordination } = load('../../shared/dist/stores/coordination/memory-coordination.js');
const { createLogger } = load('../../shared/dist/observing/logs/logger.js');
const { connectMongo } = load('../../shared/dist/stores/mongo/connect-mongo.js');
const { createOpaqueToken, digestOf } = load('../../shared/dist/base/ids/opaque-token.js');

const secret = 's'.repeat(32);
const key = Buffer.alloc(32, 1);
const redirectUri = 'https://client.example/callback';
const accountId = 'bench';
const now = () => new Date();
const broker = { publish: async () => {}, subscribe: async () => {}, close: async () => {} };
let service;

async function start({ mongodbUrl, redisUrl }) {
  const connection = await connectMongo(mongodbUrl);
  const config = loadConfig({
    MONGODB_URL: mongodbUrl,
    AMQP_URL: 'amqp://none',
    BASE_URL: 'http://localhost:4000',
    INTROSPECTION_SECRET: secret,
    SEALING_KEYS: key.toString('base64'),
    ALLOW_INSECURE_PROVIDERS: 'true',
  });
  const logger = createLogger('auth', 'silent');
  const coordination = (await connectCoordination(redisUrl, logger)) ?? createMemoryCoordination({ now });
  const app = createApp({ config, connection, broker, coordination, logger, now });
  await app.start();
  const { port } = await listen(app, 0, '127.0.0.1');
  const provider = await startProvider();
  const own = await connectMongo(mongodbUrl);
  const repositories = { families: createTokenFamilyRepository(own), applications: createApplicationRepository(own) };
  await app.operator.ensureAccount({ id: accountId, name: 'Bench' });
  const person = { accountId, name: 'Ada', primaryEmail: 'ada@example.com', password: 'correct horse battery' };
  const { id: personId } = await app.operator.ensurePerson({ ...person, roles: ['account_administrator'] });
  const sso = await app.services.ssoConfigurations.create(
    accountId,
    { name: 'Bench', issuer: provider.issuer, identifier: 'primary_email', disabled: false },
    { personId, name: 'Ada' },
  );
  const client = await app.operator.ensureApplication({
    accountId,
    name: 'Bench',
    redirectUris: [redirectUri],
    pkceRequired: false,
    grantTypes: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:token-exchange'],
    scopes: [{ effect: 'allow', actions: ['*:*'] }],
    ssoConfigurationId: sso.id,
    audience: provider.audience,
  });
  service = { app, repositories, provider, client, personId, connection };
  const origin = `http://127.0.0.1:${port}`;
  return {
    token: `${origin}/oauth/token`,
    introspect: `${origin}/oauth/introspect`,
    revoke: `${origin}/oauth/revoke`,
    graphql: `${origin}/graphql`,
    account: accountId,
    bearer: await callerToken(origin, client),
    client: { client_id: client.clientId, client_secret: client.clientSecret },
    redirectUri,
  };
}

/** The caller JWT that the gateway sends with the calls of an introspected caller. */
async function callerToken(origin, { clientId, clientSecret }) {
  const [code] = await codes({ count: 1 });
  const client = { client_id: clientId, client_secret: clientSecret };
  const form = { ...client, grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  const answered = await fetch(`${origin}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: token } = await answered.json();
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ token });
  return (await (await fetch(`${origin}/internal/introspect`, { method: 'POST', headers, body })).json()).caller_tokens
    .auth;
}

async function codes({ count }) {
  const { app, repositories, client, personId } = service;
  const issue = createIssueCode(repositories.families, now);
  const application = await repositories.applications.find(accountId, client.id);
  const authorization = await app.services.authorizations.grant(
    accountId,
    { id: personId },
    application,
    null,
    redirectUri,
  );
  const request = { clientId: client.clientId, redirectUri, challenge: null };
  return Promise.all(Array.from({ length: count }, () => issue(authorization, request)));
}

/** Fills the store with active access tokens like `like`, people of the account, and entries of its log. */
async function fill({ amounts, like }) {
  const collection = (name) => service.connection.collection(name);
  const token = await collection('access_tokens').findOne({ _id: digestOf(like) });
  const person = await collection('people').findOne({ accountId });
  const entry = await collection('security_log').findOne({ accountIds: accountId });
  if (!token || !person || !entry) throw new Error('what is to be copied is not stored');
  const copies = {
    access_tokens: [amounts.tokens, () => ({ ...token, _id: digestOf(createOpaqueToken('at')) })],
    people: [amounts.people, (n) => personNumber(person, n)],
    security_log: [amounts.log, (n) => ({ ...entry, _id: 1 + n, once: `filled ${n}` })],
  };
  for (const [name, [count, copy]] of Object.entries(copies))
    for (let done = 0; done < count; done += 10_000) {
      const size = Math.min(10_000, count - done);
      await collection(name).insertMany(Array.from({ length: size }, (_, n) => copy(done + n)));
    }
  const there = await Promise.all(Object.keys(copies).map((name) => collection(name).countDocuments()));
  return Object.keys(copies)
    .map((name, index) => `${there[index].toLocaleString('en')} ${name}`)
    .join(', ');
}

function personNumber(person, n) {
  const email = `person-${n}@example.com`;
  return {
    ...person,
    _id: 1_000_000 + n,
    primaryEmail: email,
    emailKey: email,
    authenticationId: `subject ${n}`,
    search: [...person.search, `${accountId} ${n}`],
  };
}

answer({ start, codes, fill, identity: ({ count }) => service.provider.tokens(count, 'ada@example.com') });
