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

const risk = workedValue<RecordKind>(/^ {2}risk: ({[^]*?^ {2}}),/m);

/** A kind with a name, a plural and a type that no rule derives from each other. */
const ci: RecordKind = {
  graphqlName: 'ConfigurationItem',
  plural: 'cis',
  label: 'Configuration items',
  service: 'graph',
  events: ['create', 'update', 'note-added', 'status-changed', 'manager-changed'],
  statuses: ['in_production', 'registered'],
};

/** The kind that the page adds, and an irregular one. */
export const addedKinds = { risk, ci };

/** The record kinds with the added ones. */
export const kindsWithAdded: RecordKinds & typeof addedKinds = { ...recordKinds, ...addedKinds };
