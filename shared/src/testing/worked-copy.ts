import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const root = join(__dirname, '../../..');
const isSource = (path: string): boolean => !['node_modules', 'dist'].includes(basename(path));

/** A copy of some packages of the repository, in which a test carries out a change that CONTRIBUTING.md describes. */
export interface WorkedCopy {
  /** Adds lines below the first line that has `below`, unless the file has them already. */
  add(file: string, below: string, lines: string): void;
  /** Has what the repository compiled of a package: its threads and other files that no test makes. */
  link(compiled: string): void;
  /** The module of the copy. */
  load<T>(file: string): Promise<T>;
  /** What the compiler says about the files, and about what they import. */
  compile(...files: readonly string[]): string;
  remove(): void;
}

/** `packages` by their folders; all others are those of the repository. */
export function copyToWork(packages: readonly string[]): WorkedCopy {
  const copy = mkdtempSync(join(tmpdir(), 'worked-'));
  for (const folder of packages) {
    cpSync(join(root, folder), join(copy, folder), { recursive: true, filter: isSource });
    const own = join(root, folder, 'node_modules');
    if (existsSync(own)) symlinkSync(own, join(copy, folder, 'node_modules'));
  }
  cpSync(join(root, 'tsconfig.json'), join(copy, 'tsconfig.json'));
  const installed = join(root, 'node_modules');
  mkdirSync(join(copy, 'node_modules/@itsm'), { recursive: true });
  for (const name of readdirSync(installed))
    if (name !== '@itsm' && !name.startsWith('.')) symlinkSync(join(installed, name), join(copy, 'node_modules', name));
  for (const name of readdirSync(join(installed, '@itsm'))) {
    const copied = packages.find((folder) => basename(folder) === name);
    const target = copied === undefined ? join(installed, '@itsm', name) : join(copy, copied);
    symlinkSync(target, join(copy, 'node_modules/@itsm', name));
  }

  return {
    add(file, below, lines) {
      const path = join(copy, file);
      const text = readFileSync(path, 'utf8');
      const before = text.split('\n');
      const at = before.findIndex((line) => line.includes(below));
      if (at === -1) throw new Error(`${file} has no line with ${below}`);
      // Two declarations of a file may have the same line.
      const [declaration = ''] = before
        .slice(at)
        .join('\n')
        .split(/\n[}`]/);
      if ((lines.includes('\n') ? text : declaration).includes(lines.trim())) return;
      writeFileSync(path, before.toSpliced(at + 1, 0, lines).join('\n'));
    },
    link: (compiled) => symlinkSync(join(root, compiled), join(copy, compiled)),
    load: async <T>(file: string) => (await import(join(copy, file))) as T,
    compile(...files) {
      const settings = join(copy, 'tsconfig.worked.json');
      const compilerOptions = {
        incremental: false,
        tsBuildInfoFile: null,
        declaration: false,
        emitDeclarationOnly: false,
        noEmit: true,
      };
      writeFileSync(settings, JSON.stringify({ extends: './tsconfig.json', compilerOptions, include: [], files }));
      const compiler = join(dirname(installed), 'node_modules/.bin/tsc');
      const { stdout } = spawnSync(compiler, ['-p', settings, '--pretty', 'false'], { encoding: 'utf8' });
      return stdout;
    },
    remove: () => rmSync(copy, { recursive: true }),
  };
}
