import { getVariableValues, GraphQLError, OperationTypeNode } from 'graphql';
import type { GraphQLFormattedError } from 'graphql';
import type { Coordination } from '@itsm/shared/stores/coordination/coordination';
import { AppError } from '@itsm/shared/base/errors/app-error';
import type { Admission } from '../callers/admission.service';
import type { ConnectionPrice } from '../cost/breakdown';
import type { Price } from '../cost/formula';
import type { LimitFacts } from '../cost/limit-error';
import { limits } from '../cost/limits';
import type { Supergraph } from '../supergraph/supergraph';
import type { Deadline } from '../transport/deadline';
import { toCostState } from '../callers/limit-answers';
import type { CostState } from '../callers/limit-answers';
import { costWindowOf } from '../callers/windows';
import { formatError } from '../supergraph/graphql-errors';
import type { PreparedOperation } from '../execution/executor';
import type { GraphqlRequest } from './graphql-request';

/** One call of an admitted caller in one account. */
export interface Call {
  readonly request: GraphqlRequest;
  readonly admission: Admission;
  readonly accountId: string;
  readonly requestId: string;
  readonly clientAddress: string;
  /** As in `ExecutionContext`. */
  readonly languages: readonly string[];
  readonly deadline: Deadline;
  /** Aborts when the client has left. */
  readonly departure: AbortSignal;
}

/** Only what is `executed` reached a service; only that costs points. */
export type CallOutcome =
  | { readonly kind: 'refused'; readonly errors: readonly GraphQLFormattedError[] }
  | { readonly kind: 'too expensive'; readonly cost: CostState; readonly advice: LimitFacts }
  | {
      readonly kind: 'executed';
      readonly cost: CostState;
      /** JSON text. */
      readonly data: string;
      readonly errors: readonly GraphQLFormattedError[];
    };

interface Ready {
  readonly operation: PreparedOperation;
  readonly price: Price;
  /** Coerced, defaults applied. */
  readonly variables: Readonly<Record<string, unknown>>;
}

type Checked = Extract<CallOutcome, { kind: 'refused' }> | { readonly kind: 'ready'; readonly ready: Ready };

export interface CallService {
  run(supergraph: Supergraph, call: Call): Promise<CallOutcome>;
}

export function createCalls(coordination: Coordination): CallService {
  async function spend(limitKey: string, cost: number): Promise<{ allowed: boolean; state: CostState }> {
    const taken = await coordination.take([costWindowOf(limitKey, cost)], []).catch(() => {
      throw new AppError('service_unavailable', 'Service Unavailable');
    });
    const [window] = taken.windows;
    if (!window) throw new Error('the cost window is missing');
    return { allowed: taken.allowed, state: toCostState(window, cost) };
  }

  return {
    async run(supergraph, call) {
      const checked = check(supergraph, call.request);
      if (checked.kind === 'refused') return checked;
      const { operation, price, variables } = checked.ready;
      const { allowed, state } = await spend(call.admission.limitKey, price.cost);
      if (!allowed) {
        const advice = operation.formula.cheaper(variables, state.remaining);
        return { kind: 'too expensive', cost: state, advice };
      }
      const result = await supergraph.execute({
        operation,
        variables: call.request.variables,
        coerced: variables,
        context: {
          callerToken: call.admission.callerToken,
          accountId: call.accountId,
          requestId: call.requestId,
          clientAddress: call.clientAddress,
          languages: call.languages,
          deadline: call.deadline,
          // Who has asked for a change may leave: it is made all the same.
          signal: operation.node.operation === OperationTypeNode.QUERY ? call.departure : undefined,
          rateLimit: { ...state, nodeCount: price.nodes, breakdown: () => dearest(operation, variables) },
        },
      });
      const { data, errors, isIncomplete } = result;
      return { kind: 'executed', cost: state, data, errors: isIncomplete ? [internalError] : errors };
    },
  };
}

/** Everything that is refused before anything is executed; the variables are looked at on every call. */
function check(supergraph: Supergraph, { query, operationName, variables }: GraphqlRequest): Checked {
  const operation = supergraph.documents(query, operationName);
  if (operation.kind === 'refused') return operation;
  const definitions = operation.node.variableDefinitions ?? [];
  const { errors, coerced } = getVariableValues(supergraph.schema, definitions, variables, { maxErrors: 10 });
  if (errors) return refused(errors, 'BAD_USER_INPUT');
  const evaluation = operation.formula(coerced);
  if (evaluation.kind === 'refused') return refused(evaluation.errors);
  const nulls = operation.conditions.filter((name) => coerced[name] === null);
  if (nulls.length > 0) return refused(nulls.map(noCondition), 'BAD_USER_INPUT');
  return { kind: 'ready', ready: { operation, price: evaluation.price, variables: coerced } };
}

/** A nullable variable with a default may stand there; null is for the field to refuse (GraphQL, "All Variable Usages Are Allowed"). */
const noCondition = (name: string): GraphQLError =>
  new GraphQLError(`Variable "$${name}" must not be null, as it stands in @skip or @include.`);

/** What adds most to the points of a call; a document may have thousands of connections. */
const dearest = ({ formula }: PreparedOperation, variables: Ready['variables']): readonly ConnectionPrice[] =>
  [...formula.breakdown(variables)]
    .sort((a, b) => b.requests - a.requests || b.nodes - a.nodes)
    .slice(0, limits.breakdown);

const internalError = { message: 'Internal Server Error', extensions: { code: 'INTERNAL_SERVER_ERROR' } };

const refused = (errors: readonly GraphQLError[], code?: string): Extract<CallOutcome, { kind: 'refused' }> => ({
  kind: 'refused',
  errors: errors.map((error) => formatError(error, code)),
});
