// Services with canned answers: a repeated query gets the same text.
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { answer } from '../measure.mjs';
import { resolvers, typeDefs } from './graph.mjs';

const load = createRequire(import.meta.url);
const { buildSubgraphSchema } = load('@apollo/subgraph');
const { graphql, parse } = load('graphql');
const { calledServices } = load('@itsm/shared/api/identity/caller-token');

let fetches = 0;

/** `GET` returns the schema, `POST` answers; auth also accepts every token. */
async function serve(name) {
  const schema = buildSubgraphSchema({ typeDefs: parse(typeDefs[name]), resolvers: resolvers[name] });
  const canned = new Map();
  const respond = async (body) => {
    const { query, variables } = JSON.parse(body);
    const text = JSON.stringify(await graphql({ schema, source: query, variableValues: variables }));
    canned.set(body, text);
    return text;
  };
  const server = createServer({ keepAliveTimeout: 65_000 }, (req, res) => {
    if (req.method === 'GET') return void res.end(typeDefs[name]);
    const chunks = [];
    req.on('data', (chunk) => chunks.push(chunk));
    req.on('end', async () => {
      const body = Buffer.concat(chunks).toString();
      res.setHeader('Content-Type', 'application/json');
      if (req.url === '/internal/introspect') return void res.end(vouchFor(JSON.parse(body).token));
      fetches += 1;
      res.end(canned.get(body) ?? (await respond(body)));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return [name, `http://127.0.0.1:${server.address().port}`];
}

const vouchFor = (token) => {
  const claims = {
    sub: '7',
    name: 'Ada Administrator',
    home: 'wdc',
    accounts: { wdc: ['specialist'] },
    scopes: [{ effect: 'allow', actions: ['*:*'] }],
    kind: 'access',
    application: 1,
    locale: 'en',
    time_zone: 'UTC',
    exp: Math.floor(Date.now() / 1000) + 7_200,
  };
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  const callerToken = `${'h'.repeat(60)}.${payload}.${'s'.repeat(86)}`;
  return JSON.stringify({
    active: true,
    aud: 'http://localhost:4000',
    caller_tokens: Object.fromEntries(calledServices.map((name) => [name, callerToken])),
    claims,
    expires_in: 7_200,
    limit_key: token,
    accounts: ['wdc'],
  });
};

answer({
  start: async () => Object.fromEntries(await Promise.all(Object.keys(typeDefs).map(serve))),
  fetches: () => fetches,
});
