import { useRef, useState } from 'react';
import type { GraphQLSchema } from 'graphql';
import { useAccount } from '../frame/account';
import { useCall } from './call';
import type { Result } from './call';
import type { Identity } from './identity';
import type { PastCall } from './past-calls';
import { judge } from './question';
import type { Draft } from './question';

export interface Run {
  readonly start: () => void;
  readonly stop: () => void;
  readonly isRunning: boolean;
  readonly result: Result | undefined;
  /** Whether the person is asked to confirm the first mutation of the tab. */
  readonly isAsking: boolean;
  readonly confirm: () => void;
  readonly cancel: () => void;
}

/** Runs the current draft; a second press during the run has no effect. */
export function useRun({
  draft,
  schema,
  identity,
  onCalled,
}: {
  readonly draft: Draft;
  readonly schema: GraphQLSchema | undefined;
  readonly identity: Identity;
  readonly onCalled: (call: PastCall) => void;
}): Run {
  const { account } = useAccount();
  const { mutate, isPending, data } = useCall(account);
  const [isAsking, setAsking] = useState(false);
  const stopper = useRef<AbortController>(undefined);
  const key = `explorer-mutations ${account}`;

  const start = (): void => {
    if (stopper.current) return;
    const judgement = judge(draft, schema);
    if (judgement.kind !== 'judged') return;
    const { chosen, operations, variables, answer } = judgement;
    const isMutation = chosen?.kind === 'mutation';
    if (isMutation && sessionStorage.getItem(key) === null) {
      setAsking(true);
      return;
    }
    const controller = new AbortController();
    stopper.current = controller;
    mutate(
      {
        query: draft.query,
        variables,
        operationName: operations.length > 1 ? chosen?.name : undefined,
        isMutation,
        expectedCost: answer.kind === 'priced' ? answer.price.cost : undefined,
        identity,
        signal: controller.signal,
      },
      {
        onSuccess: ({ status, cost, milliseconds, errors, failure }) =>
          onCalled({
            query: draft.query,
            variables: draft.variables,
            operation: draft.operation,
            at: new Date().toISOString(),
            status,
            cost,
            milliseconds,
            hasErrors: errors.length > 0 || failure !== undefined,
          }),
        onSettled: () => {
          stopper.current = undefined;
        },
      },
    );
  };
  return {
    start,
    stop: () => stopper.current?.abort(),
    isRunning: isPending,
    result: data,
    isAsking,
    confirm: () => {
      sessionStorage.setItem(key, 'yes');
      setAsking(false);
      start();
    },
    cancel: () => setAsking(false),
  };
}
