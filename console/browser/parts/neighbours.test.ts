/// <reference types="jest" />
import { neighbourOf, rememberOrder } from './neighbours';

test('neighbours are those of the list that was shown most recently', () => {
  expect(neighbourOf('b', 1)).toBeUndefined();
  rememberOrder(['a', 'b', 'c']);
  expect([neighbourOf('b', -1), neighbourOf('b', 1)]).toEqual(['a', 'c']);
  expect([neighbourOf('a', -1), neighbourOf('c', 1), neighbourOf('x', 1)]).toEqual([undefined, undefined, undefined]);
  rememberOrder(['c', 'b']);
  expect(neighbourOf('b', -1)).toBe('c');
});
