import { describeScopes } from './scope-words';

test('scopes are described as sentences, denials separately', () => {
  expect(
    describeScopes([
      { effect: 'allow', actions: ['request:Read', 'request:Update', 'task:Read', 'me:Name'] },
      { effect: 'allow', actions: ['*:All'], account: 'wdc' },
      { effect: 'deny', actions: ['webhook-policy:*', 'ui-extension:Delete'] },
    ]),
  ).toEqual({
    allowed: [
      'See and change requests',
      'See tasks and your own name and details',
      'See, create, change and delete everything (only in wdc)',
    ],
    denied: ['See, create, change and delete webhook policies', 'Delete UI extensions'],
  });
});
