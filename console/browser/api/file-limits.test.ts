import { problemOf } from './file-limits';

const limits = { size_limit: 20_000_000, allowed_extensions: [] };

test('what an account does not take is said before it is sent', () => {
  const picturesAlone = { ...limits, allowed_extensions: ['png', 'jpg'] };
  expect([
    problemOf({ name: 'a.png', size: 20_000_000 }, limits),
    problemOf({ name: 'a.png', size: 20_000_001 }, limits),
    problemOf({ name: 'a.png', size: 0 }, limits),
    problemOf({ name: 'a.PNG', size: 1 }, picturesAlone),
    problemOf({ name: 'a.exe', size: 1 }, picturesAlone),
    problemOf({ name: 'png', size: 1 }, picturesAlone),
  ]).toEqual([
    undefined,
    'It is larger than 20 MB, the most that a file may have.',
    'It is empty.',
    undefined,
    'Files of this kind are not taken, only .png, .jpg.',
    'Files of this kind are not taken, only .png, .jpg.',
  ]);
});
