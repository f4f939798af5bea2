import { AsyncLocalStorage } from 'node:async_hooks';
import { traceFacts } from '../tracing/tracing';

const storage = new AsyncLocalStorage<Record<string, string>>();

/** Every log line that `work` causes carries these facts: the request it belongs to, the account it is about. */
export const inLogContext = <T>(facts: Readonly<Record<string, string>>, work: () => T): T =>
  storage.run({ ...facts }, work);

/** Adds a fact to the lines that follow within the same unit of work. */
export function addLogFact(name: string, value: string): void {
  const facts = storage.getStore();
  if (facts) facts[name] = value;
}

/** What the present unit of work adds to its log lines. */
export const contextFacts = (): object => ({ ...storage.getStore(), ...traceFacts() });
