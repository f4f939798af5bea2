import { AsyncLocalStorage } from 'node:async_hooks';
import { traceFacts } from '../tracing/tracing';

const storage = new AsyncLocalStorage<Record<string, string>>();

/** Adds these fields to every log line of `work` (async context), such as the request id and the account. */
export const inLogContext = <T>(facts: Readonly<Record<string, string>>, work: () => T): T =>
  storage.run({ ...facts }, work);

/** Adds a field to later log lines of the same unit of work. */
export function addLogFact(name: string, value: string): void {
  const facts = storage.getStore();
  if (facts) facts[name] = value;
}

/** The log fields of the current unit of work. */
export const contextFacts = (): object => ({ ...storage.getStore(), ...traceFacts() });
