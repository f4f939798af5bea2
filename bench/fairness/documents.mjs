import { asJson, steadily } from './attack.mjs';

const times = (count, item) => Array.from({ length: count }, (_none, n) => item(n)).join(' ');

const graphql = (atOnce, document, variables = {}) =>
  steadily(atOnce, (headers, n) => ({
    path: '/graphql',
    method: 'POST',
    headers: asJson(headers),
    body: JSON.stringify({ query: typeof document === 'string' ? document : document(n), variables }),
  }));

const negated = (count) => (n) =>
  `{ ${times(count, (i) => `a${i}: requests(first: 1, filter: { subject: { values: ["y${n}x${i}"], negate: true } }) { totalCount }`)} }`;

const nested = (first) =>
  `{ requests(first: 100) { nodes { requestedBy { requests(first: 49) { nodes { requestedBy { requests(first: ${first}) { nodes { id } } } } } } } } }`;

/** One point, whatever the names. */
const neverSeen = (n) =>
  `{ ${times(90, (i) => `a${n}x${i}: requests(first: 1) { nodes { id subject requestedBy { name } } }`)} }`;

const names = Array.from({ length: 80 }, (_none, n) => `name ${n}`);

export const documents = {
  'documents never seen before': graphql(20, neverSeen),
  '10 negated counts in a call': graphql(4, negated(10)),
  '20 negated counts in a call': graphql(4, negated(20)),
  '200 filters of 80 names in a call': graphql(
    4,
    `query ($v: [String!]!) { ${times(200, (i) => `a${i}: people(first: 1, filter: { name: { values: $v, negate: true } }) { totalCount }`)} }`,
    { v: names },
  ),
  '490,000 nodes in a call': graphql(4, nested(100)),
  '245,000 nodes in a call, which fit into an answer': graphql(4, nested(50)),
  'lists by a negated subject': steadily(4, (headers, n) => ({
    path: `/v1/requests?per_page=1&subject=!x${n}`,
    headers,
  })),
  '90 calls of one caller at once': steadily(90, (headers, n) => ({
    path: '/graphql',
    method: 'POST',
    headers: asJson(headers),
    body: JSON.stringify({ query: negated(1)(n) }),
  })),
};
