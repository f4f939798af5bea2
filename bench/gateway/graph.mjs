// The graph of the benchmark's services: five schemas that refer to each other, and records generated from their
// number.
const start = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@shareable"])
  interface Node { id: ID! }
`;
const connection = (name) => `
  type ${name}Connection { totalCount: Int! nodes: [${name}!]! }
`;
const reference = (name) => `type ${name} @key(fields: "id", resolvable: false) { id: ID! }`;

export const typeDefs = {
  auth: `${start} ${connection('Person')}
    type Person implements Node @key(fields: "id") {
      id: ID! name: String! primaryEmail: String! jobTitle: String! supportID: String location: String!
    }
    type Query { me: Person people(first: Int, last: Int): PersonConnection }`,
  graph: `${start} ${connection('Request')} ${reference('Person')}
    type Team implements Node @key(fields: "id") { id: ID! name: String! coordinator: Person }
    type Request implements Node @key(fields: "id") {
      id: ID! subject: String! status: String! category: String! impact: String priority: Int!
      createdAt: String! updatedAt: String! sourceID: String desiredCompletion: String
      requestedBy: Person requestedFor: Person member: Person team: Team
    }
    type Query { requests(first: Int, last: Int): RequestConnection }`,
  webhooks: `${start} ${connection('Webhook')} ${reference('Person')}
    type Webhook implements Node @key(fields: "id") {
      id: ID! name: String! uri: String! event: String! disabled: Boolean! createdAt: String! owner: Person createdBy: Person
    }
    type Query { webhooks(first: Int, last: Int): WebhookConnection }`,
  'webhook-delivery': `${start} ${connection('Delivery')} ${reference('Person')} ${reference('Webhook')} ${reference('Request')}
    type Delivery implements Node @key(fields: "id") {
      id: ID! state: String! attempts: Int! createdAt: String! webhook: Webhook request: Request actor: Person
    }
    type Query { deliveries(first: Int, last: Int): DeliveryConnection }`,
  'ui-extensions': `${start} ${connection('UiExtension')} ${reference('Person')} ${reference('Request')}
    type UiExtension implements Node @key(fields: "id") {
      id: ID! name: String! category: String! description: String! createdAt: String! author: Person maintainer: Person request: Request
    }
    type Query { uiExtensions(first: Int, last: Int): UiExtensionConnection }`,
};

const idOf = (type, number) => Buffer.from(`service.example/${type}/${number}`).toString('base64url');
const numberOf = (id) => Number(Buffer.from(id, 'base64url').toString().split('/')[2]);
const ref = (type, number) => ({ __typename: type, id: idOf(type, number) });
const at = '2026-03-18T19:04:06Z';
const make = {
  Person: (n) => ({
    ...ref('Person', n),
    name: `Ada ${n}`,
    primaryEmail: `person.${n}@example.com`,
    jobTitle: 'Service desk agent',
    supportID: n % 3 ? `S-${n}` : null,
    location: 'Amsterdam, building 4',
  }),
  Team: (n) => ({ ...ref('Team', n), name: `Team ${n}`, coordinator: ref('Person', n + 3) }),
  Request: (n) => ({
    ...ref('Request', n),
    subject: `The printer on floor ${n} does not "print" any more`,
    status: 'in_progress',
    category: 'incident',
    impact: n % 2 ? 'medium' : null,
    priority: n,
    createdAt: at,
    updatedAt: at,
    sourceID: `source-${n}`,
    desiredCompletion: null,
    requestedBy: ref('Person', n % 17),
    requestedFor: ref('Person', n % 23),
    member: ref('Person', n % 5),
    team: make.Team(n % 4),
  }),
  Webhook: (n) => ({
    ...ref('Webhook', n),
    name: `Webhook ${n}`,
    uri: `https://receiver-${n}.example.com/hooks/${n}`,
    event: 'request.create',
    disabled: n % 2 === 0,
    createdAt: at,
    owner: ref('Person', n % 7),
    createdBy: ref('Person', n % 9),
  }),
  Delivery: (n) => ({
    ...ref('Delivery', n),
    state: 'delivered',
    attempts: 1 + (n % 3),
    createdAt: at,
    webhook: ref('Webhook', n % 11),
    request: ref('Request', n % 29),
    actor: ref('Person', n % 8),
  }),
  UiExtension: (n) => ({
    ...ref('UiExtension', n),
    name: `Extension ${n}`,
    category: 'request',
    description: 'Shows what a customer has bought, and when the contract ends.',
    createdAt: at,
    author: ref('Person', n % 6),
    maintainer: ref('Person', n % 4),
    request: ref('Request', n % 13),
  }),
};
const page =
  (type) =>
  (_parent, { first, last }) => ({
    totalCount: 1_000,
    nodes: Array.from({ length: first ?? last }, (_, index) => make[type](index + 1)),
  });
const entity = (type) => ({ [type]: { __resolveReference: ({ id }) => make[type](numberOf(id)) } });

export const resolvers = {
  auth: { ...entity('Person'), Query: { me: () => make.Person(7), people: page('Person') } },
  graph: { ...entity('Request'), ...entity('Team'), Query: { requests: page('Request') } },
  webhooks: { ...entity('Webhook'), Query: { webhooks: page('Webhook') } },
  'webhook-delivery': { ...entity('Delivery'), Query: { deliveries: page('Delivery') } },
  'ui-extensions': { ...entity('UiExtension'), Query: { uiExtensions: page('UiExtension') } },
};

/** By name: answers of about 70 bytes, 3.5 KB and 87 KB, with 1, 2 and 16 fetches. */
export const operations = {
  small: '{ me { id name } }',
  medium: `query Medium($first: Int!) {
    requests(first: $first) { totalCount nodes { id subject status requestedBy { name } } }
  }`,
  heavy: `query Heavy {
    requests(first: 48) { totalCount nodes {
      id subject status category impact priority createdAt updatedAt sourceID desiredCompletion
      requestedBy { id name primaryEmail } requestedFor { name jobTitle } member { name location }
      team { id name }
    } }
    webhooks(first: 40) { nodes {
      id name uri event disabled createdAt owner { name primaryEmail location } createdBy { name }
    } }
    deliveries(first: 60) { nodes {
      id state attempts createdAt webhook { name uri } request { subject status requestedBy { supportID } } actor { id location }
    } }
    uiExtensions(first: 40) { nodes {
      id name category description createdAt author { name location jobTitle } maintainer { primaryEmail }
      request { subject impact }
    } }
  }`,
};
export const variables = { small: {}, medium: { first: 20 }, heavy: {} };
