import { generatedPart, markdownTable } from '@itsm/shared/testing/generated-part';
import { mostResetRequests, mostResets } from '../mails/mail-queue';

test('the page for operators has the bounds of waiting resets (UPDATE_DOCS=1 writes them)', () => {
  const table = markdownTable([
    ['Waiting', 'At most', 'Beyond it'],
    ['requests for a reset link, for one address', String(mostResets), 'a new one replaces the oldest'],
    ['mails with a reset link, to one person', String(mostResets), 'a new one replaces the oldest'],
    ['requests for a reset link in all', mostResetRequests.toLocaleString('en-US'), '503, for every address alike'],
  ]);
  expect(generatedPart('docs/operations.md', 'waiting resets', table)).toBe(table);
});
