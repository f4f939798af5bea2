const times = (count, item) => Array.from({ length: count }, (_none, n) => item(n)).join(' ');
const all = (count, item) => `{ ${times(count, (n) => `a${n}: ${item(n)}`)} }`;
const one = 'nodes { id }';
const requests = (args, fields = one) => `requests(${args}) { ${fields} }`;
const people = (args, fields = one) => `people(${args}) { ${fields} }`;
const hundred = times(100, (n) => `"Printer ${n} on floor ${n % 40}"`);
const withoutSubject = (n) => `first: 1, filter: { subject: { values: ["no ${n}"], negate: true } }`;
const everyField =
  'id subject category impact priority status desiredCompletionAt timeSpent source sourceID completedAt createdAt updatedAt requestedBy { name } requestedFor { name } team { name } member { name }';
const twentyOne =
  'id subject category impact priority status desiredCompletionAt timeSpent source sourceID completedAt createdAt updatedAt ' +
  times(8, (n) => `a${n}: subject`);
const nested = (last) =>
  `{ requests(first: 100) { nodes { requestedBy { requests(first: 49) { nodes { requestedBy { requests(first: ${last}) { nodes { id } } } } } } } } }`;
const names = Array.from({ length: 80 }, (_none, n) => `name ${n}`);

/** Documents that cause much work for their size, in an account with 100,000 requests; with their variables. */
export const documents = {
  'a list': [`{ ${requests('first: 5')} }`],
  'a count': [`{ ${requests('first: 1', 'totalCount')} }`],
  '20 counts': [all(20, () => requests('first: 1', 'totalCount'))],
  '100 counts': [all(100, () => requests('first: 1', 'totalCount'))],
  'a negated count': [all(1, (n) => requests(withoutSubject(n), 'totalCount'))],
  '10 negated counts': [all(10, (n) => requests(withoutSubject(n), 'totalCount'))],
  '20 negated counts': [all(20, (n) => requests(withoutSubject(n), 'totalCount'))],
  'a negated list': [all(1, (n) => requests(withoutSubject(n)))],
  '20 negated lists': [all(20, (n) => requests(withoutSubject(n)))],
  '20 negated choices counted': [
    all(20, () => requests('first: 1, filter: { status: { values: [completed], negate: true } }', 'totalCount')),
  ],
  '100 values': [`{ ${requests(`first: 100, filter: { subject: { values: [${hundred}] } }`)} }`],
  '100 values, 20 times': [all(20, () => requests(`first: 100, filter: { subject: { values: [${hundred}] } }`))],
  '100 values, negated, counted': [
    `{ ${requests(`first: 1, filter: { subject: { values: [${hundred}], negate: true } }`, 'totalCount')} }`,
  ],
  'a choice counted': [`{ ${requests('first: 1, filter: { status: { values: [assigned] } }', 'totalCount')} }`],
  '20 choices counted': [all(20, () => requests('first: 1, filter: { status: { values: [assigned] } }', 'totalCount'))],
  '20 pages of a choice': [all(20, () => requests('first: 100, filter: { status: { values: [assigned] } }'))],
  '20 pages of a choice in another order': [
    all(20, () =>
      requests(
        'first: 100, filter: { status: { values: [assigned] } }, order: [{ field: updatedAt, direction: desc }]',
      ),
    ),
  ],
  '20 pages by subject': [all(20, () => requests('first: 100, order: [{ field: subject }]'))],
  'an order without an index': [
    `{ ${requests('first: 100, order: [{ field: subject }, { field: createdAt }, { field: status }]')} }`,
  ],
  'a rare word': [`{ ${requests('first: 100, filter: { query: "12345" }')} }`],
  '20 rare words': [all(20, (n) => requests(`first: 100, filter: { query: "${10_000 + n}" }`))],
  'a common word counted': [`{ ${requests('first: 1, filter: { query: "printer" }', 'totalCount')} }`],
  '20 common words counted': [all(20, () => requests('first: 1, filter: { query: "printer" }', 'totalCount'))],
  '10 times two common words': [all(10, (n) => requests(`first: 100, filter: { query: "printer ${n}" }`))],
  '50 absent words': [all(50, (n) => requests(`first: 100, filter: { query: "absent${n}" }`))],
  '50 words beside an absent one': [all(50, (n) => requests(`first: 100, filter: { query: "printer absent${n}" }`))],
  '20 ranges': [all(20, () => requests('first: 100, filter: { createdAt: { greaterThan: "2020-01-01T00:00:00Z" } }'))],
  '20 ranges counted': [
    all(20, () => requests('first: 1, filter: { createdAt: { greaterThan: "2020-01-01T00:00:00Z" } }', 'totalCount')),
  ],
  '20 ranges in another order': [
    all(20, () =>
      requests('first: 100, filter: { createdAt: { lessThan: "2020-01-01T00:00:00Z" } }, order: [{ field: subject }]'),
    ),
  ],
  '10 pairs of conditions that never meet': [
    all(10, (n) =>
      requests(`first: 100, filter: { status: { values: [assigned] }, subject: { values: ["none ${n}"] } }`),
    ),
  ],
  '490,000 nodes': [nested(100)],
  '245,000 nodes': [nested(50)],
  '10,000 nodes under people': [`{ requests(first: 100) { nodes { requestedBy { ${requests('first: 100')} } } } }`],
  '100 counts under people': [
    `{ requests(first: 100) { nodes { requestedBy { ${requests('first: 1', 'totalCount')} } } } }`,
  ],
  'notes of 100 requests': ['{ requests(first: 100) { nodes { notes(first: 100) { nodes { text } totalCount } } } }'],
  'audit lines of 100 requests': [
    '{ requests(first: 100) { nodes { auditLines(first: 100) { nodes { createdAt } totalCount } } } }',
  ],
  'every field of 100 requests': [`{ ${requests('first: 100', `nodes { ${everyField} }`)} }`],
  'every field of 100 requests, 20 times': [all(20, () => requests('first: 100', `nodes { ${everyField} }`))],
  '21 fields of 10,000 requests': [
    `{ requests(first: 100) { nodes { requestedBy { ${requests('first: 100', `nodes { ${twentyOne} }`)} } } } }`,
  ],
  'cursors of 100 requests, 20 times': [all(20, () => requests('first: 100', 'edges { cursor node { id } }'))],
  'all views': [
    `{ ${['all', 'current_account', 'assigned_to_me', 'assigned_to_my_team', 'requested_by_or_for_me'].map((view) => `${view}: requests(first: 1, view: ${view}) { totalCount }`).join(' ')} }`,
  ],
  '200 requests by number': [all(200, (n) => `request(id: ${n + 1}) { subject }`)],
  '500 times me': [all(500, () => 'me { name }')],
  '4,000 leaves': [`{ me { ${times(4_000, (n) => `a${n}: name`)} } }`],
  '200 filters of 80 names': [
    `query ($v: [String!]!) { ${times(200, (n) => `a${n}: ${people('first: 1, filter: { name: { values: $v, negate: true } }', 'totalCount')}`)} }`,
    { v: names },
  ],
  '50 words among people': [all(50, (n) => people(`first: 100, filter: { query: "nobody${n}" }`))],
  '100 counts of people': [all(100, () => people('first: 1', 'totalCount'))],
  '50 pages of people by name': [all(50, () => people('first: 100, order: [{ field: name }]', 'nodes { name }'))],
  '100 pages of accounts': [all(100, () => 'accounts(first: 100) { nodes { id name } totalCount }')],
  '100 pages of applications': [all(100, () => 'oauthApplications(first: 100) { nodes { id name } totalCount }')],
  'the whole schema': ['{ __schema { types { name fields { name args { name } type { name } } } } }'],
};
