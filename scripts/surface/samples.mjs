/**
 * The input of a valid record of each type that can be created, in an order in which each finds what it refers to:
 * `@team` is the id of the sample of that type. `$name` becomes a text that no other call has used.
 */
export const samples = {
  person: { name: '$name', primaryEmail: '$name@samples.example', roles: ['specialist'] },
  team: { name: '$name', managerId: '@person', memberIds: ['@person'] },
  serviceLevelAgreement: { name: '$name', managerId: '@person' },
  problem: { subject: '$name', teamId: '@team' },
  workflow: { subject: '$name', managerId: '@person' },
  task: { subject: '$name', workflowId: '@workflow', teamId: '@team' },
  project: { subject: '$name', managerId: '@person' },
  projectTask: { subject: '$name', projectId: '@project' },
  request: { subject: '$name', teamId: '@team', memberId: '@person', source: 'samples', sourceID: '$name' },
  note: { recordId: '@request', text: '$name' },
  ssoConfiguration: { name: '$name', issuer: 'https://$name.invalid', clientId: 'client', identifier: 'primary_email' },
  oauthApplication: {
    name: '$name',
    redirectUris: ['https://client.invalid/$name'],
    scopes: [{ actions: ['request:Read'], effect: 'allow' }],
  },
  oauthApplicationToken: { applicationId: '@oauthApplication', name: '$name' },
  webhookPolicy: { name: '$name', jwtAlg: 'es256' },
  webhook: {
    name: '$name',
    event: 'request.create',
    uri: 'https://receiver.invalid/$name',
    webhookPolicyId: '@webhookPolicy',
  },
  uiExtension: { name: '$name', title: 'Sample', html: '<p>Sample</p>', css: 'p { color: red }' },
};

/** Values for a field of the named GraphQL type that a service may refuse, by what is wrong with them. */
export const violations = (type) => ({
  null: null,
  'a list': [[]],
  'an object': { x: 1 },
  'a text': 'no such value',
  'an empty text': '',
  'a blank text': '   ',
  'a long text': 'x'.repeat(70_000),
  'a control character': 'a\u0001b',
  'two lines': 'a\nb',
  'a number': 7,
  'a negative number': -1,
  'a large number': 2 ** 31,
  'a number as text': '7',
  true: true,
  'true as text': 'true',
  ...(type === 'ID' && { 'an unknown id': '999999999' }),
});
