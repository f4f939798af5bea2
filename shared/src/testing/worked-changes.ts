import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { recordKinds } from '../contracts/record-kinds';
import type { RecordKind, RecordKinds } from '../contracts/record-kinds';

/** The page whose worked changes tests carry out. */
export const contributing = readFileSync(join(__dirname, '../../../CONTRIBUTING.md'), 'utf8');

/** The value of an expression that stands in the page, where `pattern` finds it as its first group. */
export function workedValue<T>(pattern: RegExp, known: Readonly<Record<string, unknown>> = {}): T {
  const [, expression] = pattern.exec(contributing) ?? [];
  if (expression === undefined) throw new Error(`CONTRIBUTING.md has no ${String(pattern)}`);
  return runInNewContext(`(${expression})`, { ...known }) as T;
}

/** The table of record kinds with the line that the page adds. */
export const kindsWithRisk: RecordKinds & { readonly risk: RecordKind } = {
  ...recordKinds,
  risk: workedValue<RecordKind>(/^ {2}risk: ({[^]*?^ {2}}),/m),
};
