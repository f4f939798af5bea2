import { scryptSync } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { createPasswords, recommendedCost } from './directory/password';
import { startHashing } from './start-hashing';

const now = () => new Date(0);
/** The priorities of the threads of this process. */
const priorities = (): number[] =>
  readdirSync('/proc/self/task').map((thread) =>
    Number(
      readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')[16],
    ),
  );

test('hashes of threads equal those of scrypt, also with more concurrent requests than threads', async () => {
  const hashing = startHashing();
  const how = { cost: 1024, blockSize: 8, parallelization: 2 };
  const salt = Buffer.alloc(16, 1);
  const words = ['one', 'two', 'three', 'four'];
  const hashes = await Promise.all(words.map((word) => hashing.derive(word, salt, how)));
  const expected = words.map((word) => scryptSync(word, salt, 32, { N: 1024, r: 8, p: 2, maxmem: 2 ** 26 }));
  expect(hashes.map((hash) => hash.toString('hex'))).toEqual(expected.map((hash) => hash.toString('hex')));
  hashing.close();
  // New threads replace those that have ended.
  expect((await hashing.derive('one', salt, how)).equals(hashes[0] ?? Buffer.alloc(0))).toBe(true);
  hashing.close();
});

const onLinux = process.platform === 'linux' ? test : test.skip;
onLinux('passwords are hashed in a thread that goes one step after the others, and no further', async () => {
  const hashing = startHashing();
  const passwords = createPasswords({ cost: recommendedCost, derive: hashing.derive, now });
  const hash = await passwords.hash('correct horse');
  expect(Math.max(...priorities())).toBe(Math.max(1, getPriority()));
  expect(await passwords.verify('correct horse', hash)).toBe(true);
  expect(await passwords.verify('wrong horse', hash)).toBe(false);
  hashing.close();
});
