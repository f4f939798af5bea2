import { noticeInWords } from './notice-words';

test.each([
  [{ kind: 'answered', count: 1, by: 'Grace Lin' }, 'Grace Lin wrote a note'],
  [{ kind: 'answered', count: 3, by: 'Grace Lin' }, 'New notes: 3, the last by Grace Lin'],
  [{ kind: 'mentioned', count: 1, by: 'Grace Lin' }, 'Grace Lin named you in a note'],
  [{ kind: 'mentioned', count: 2, by: 'Grace Lin' }, 'You were named 2 times, the last by Grace Lin'],
  [{ kind: 'changed', count: 2, by: undefined }, 'Changed 2 times, the last by somebody'],
  [{ kind: 'assigned', count: 1, by: undefined }, 'Somebody assigned it to you'],
] as const)('%j is %s', (notice, words) => {
  expect(noticeInWords(notice)).toBe(words);
});
