import { spawnSync } from 'node:child_process';
import { generatedPart } from '@itsm/shared/testing/generated-part';

const program = `
import { candidatesIn } from './scripts/mutants/candidates.mjs';
import { text } from 'node:stream/consumers';
console.log(JSON.stringify(candidatesIn(await text(process.stdin))));`;

/** The mistakes that can be made in a source: its line as it is then. */
function mistakesIn(...lines: readonly string[]): readonly string[] {
  const node = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
  });
  expect(node.stderr).toBe('');
  return (JSON.parse(node.stdout) as { replacement: string }[]).map(({ replacement }) => replacement.trim());
}

test('each kind of mistake is found, at its place', () => {
  const found = mistakesIn(
    'const most = 20;',
    'if (age > most && !isAdministrator) throw refusal();',
    'await notes.updateOne({ _id, accountId }, change);',
  );
  expect(found).toEqual([
    'const most = (20 + 1);',
    'if (false) throw refusal();',
    'if (age > most || !isAdministrator) throw refusal();',
    'if (age >= most && !isAdministrator) throw refusal();',
    'if (age > most && isAdministrator) throw refusal();',
    ';',
    'await notes.updateOne({ _id,  }, change);',
  ]);
});

test('types, and lines that occur twice, are left alone', () => {
  expect(mistakesIn('type Size = 3 | 4;', 'stop();', 'stop();')).toEqual([]);
});

test('the table of CONTRIBUTING.md has the verdicts that are kept', () => {
  const print = `import { table } from './scripts/mutants/product.mjs'; console.log(table());`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', print], { encoding: 'utf8' });
  const table = stdout.trim();
  expect(generatedPart('CONTRIBUTING.md', 'power of the tests', table)).toBe(table);
});
