import { isDeepStrictEqual } from 'node:util';
import { Counter } from 'prom-client';
import type { Departure } from '@itsm/shared/api/http/departure';
import type { ServedResult } from '../execution/executor';

const joinedQueries = new Counter({
  name: 'gateway_joined_queries_total',
  help: 'GraphQL queries that were answered by the execution of an equal one that was under way',
});

/** Everything that an answer depends on. Equal `callerTokens` mean the same access token, and so the same rights. */
export interface Question {
  readonly callerTokens: object;
  /** The write revisions of the caller's accounts when the call arrived. */
  readonly writes: readonly string[];
  readonly supergraph: object;
  readonly hash: string;
  readonly accountId: string;
  readonly clientAddress: string;
  readonly languages: readonly string[];
  readonly variables: Readonly<Record<string, unknown>>;
}

interface UnderWay {
  readonly question: Question;
  /** Of the call that began the execution; later calls join it. */
  readonly departure: Departure;
  readonly result: Promise<ServedResult>;
}

export interface JoinedQueries {
  /** Whether an equal query is in flight. */
  has(question: Question): boolean;
  /** Joins an equal query that is in flight, or runs `execute`, which `departure` aborts. */
  run(question: Question, departure: Departure, execute: () => Promise<ServedResult>): Promise<ServedResult>;
}

/**
 * Single flight: equal concurrent queries of one caller are executed once. The execution is aborted when all waiting
 * clients have disconnected.
 */
export function createJoinedQueries(): JoinedQueries {
  const ofCallers = new Map<object, Set<UnderWay>>();

  function find(question: Question): UnderWay | undefined {
    for (const one of ofCallers.get(question.callerTokens) ?? [])
      if (!one.departure.signal.aborted && isEqual(one.question, question)) return one;
    return undefined;
  }

  function begin(question: Question, departure: Departure, result: Promise<ServedResult>): void {
    const { callerTokens } = question;
    const ofCaller = ofCallers.get(callerTokens) ?? new Set();
    ofCallers.set(callerTokens, ofCaller);
    const one: UnderWay = { question, departure, result };
    ofCaller.add(one);
    const remove = (): void => {
      ofCaller.delete(one);
      if (ofCaller.size === 0) ofCallers.delete(callerTokens);
    };
    result.then(remove, remove);
  }

  function join({ departure: first, result }: UnderWay, departure: Departure): Promise<ServedResult> {
    joinedQueries.inc();
    const leave = first.join();
    if (departure.signal.aborted) leave();
    else departure.signal.addEventListener('abort', leave, { once: true });
    return result;
  }

  return {
    has: (question) => find(question) !== undefined,
    run(question, departure, execute) {
      const known = find(question);
      if (known) return join(known, departure);
      const result = execute();
      begin(question, departure, result);
      return result;
    },
  };
}

const isEqual = (one: Question, other: Question): boolean =>
  one.supergraph === other.supergraph &&
  one.hash === other.hash &&
  one.accountId === other.accountId &&
  one.clientAddress === other.clientAddress &&
  isDeepStrictEqual(one.writes, other.writes) &&
  isDeepStrictEqual(one.languages, other.languages) &&
  isDeepStrictEqual(one.variables, other.variables);
