import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { recordKinds } from '../contracts/record-kinds';
import type { RecordKind, RecordKinds } from '../contracts/record-kinds';

/** CONTRIBUTING.md, whose examples the tests carry out. */
export const contributing = readFileSync(join(__dirname, '../../../CONTRIBUTING.md'), 'utf8');

/** Evaluates an expression on the page; `pattern` matches it as its first group. */
export function workedValue<T>(pattern: RegExp, known: Readonly<Record<string, unknown>> = {}): T {
  const [, expression] = pattern.exec(contributing) ?? [];
  if (expression === undefined) throw new Error(`CONTRIBUTING.md has no ${String(pattern)}`);
  return runInNewContext(`(${expression})`, { ...known }) as T;
}

/** The record kinds with the line that the page adds. */
export const kindsWithRisk: RecordKinds & { readonly risk: RecordKind } = {
  ...recordKinds,
  risk: workedValue<RecordKind>(/^ {2}risk: ({[^]*?^ {2}}),/m),
};
