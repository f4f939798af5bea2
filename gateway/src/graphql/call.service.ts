import { OperationTypeNode } from 'graphql';
import type { GraphQLFormattedError } from 'graphql';
import { Gauge } from 'prom-client';
import type { Coordination } from '@itsm/shared/stores/coordination/coordination';
import { createLoopTurns } from '@itsm/shared/base/concurrency/loop-turns';
import { AppError } from '@itsm/shared/base/errors/app-error';
import type { Departure } from '@itsm/shared/api/http/departure';
import type { Admission, AdmissionService } from '../callers/admission.service';
import type { ConnectionPrice } from '@itsm/shared/pricing/breakdown';
import { checkVariables } from '@itsm/shared/pricing/check-variables';
import type { Price } from '@itsm/shared/pricing/formula';
import type { LimitFacts } from '@itsm/shared/pricing/limit-error';
import { limits } from '@itsm/shared/pricing/limits';
import { isShort } from '../supergraph/documents';
import type { Supergraph } from '../supergraph/supergraph';
import { shownOperation } from '../transport/call-record';
import type { CallRecord } from '../transport/call-record';
import type { Deadline } from '../transport/deadline';
import { toCostState } from '../callers/limit-answers';
import type { CostState } from '../callers/limit-answers';
import { createLargeCallTurns, createNewDocumentTurns, largeCallNodes } from '../callers/calls-in-flight';
import { costWindowOf } from '../callers/windows';
import { formatError } from '../supergraph/graphql-errors';
import type { PreparedOperation, RefusedDocument, Repetition, ServedResult } from '../execution/executor';
import type { GraphqlRequest } from './graphql-request';
import { createJoinedQueries } from './joined-queries';
import type { Question } from './joined-queries';

/** One call of an admitted caller in one account. */
export interface Call {
  readonly request: GraphqlRequest;
  readonly admission: Admission;
  readonly accountId: string;
  readonly requestId: string;
  readonly record: CallRecord;
  readonly clientAddress: string;
  /** As in `ExecutionContext`. */
  readonly languages: readonly string[];
  readonly repetition: Repetition | undefined;
  readonly deadline: Deadline;
  /** Aborts when the client disconnects. */
  readonly departure: Departure;
}

/** Only an `executed` call reached a service, and only that costs points. */
export type CallOutcome =
  | { readonly kind: 'refused'; readonly errors: readonly GraphQLFormattedError[] }
  | { readonly kind: 'too expensive'; readonly cost: CostState; readonly advice: LimitFacts }
  | {
      readonly kind: 'executed';
      /** Whether it holds no secret. */
      readonly isCompressible: boolean;
      readonly cost: CostState;
      /** JSON text; UTF-8 bytes in a large call. */
      readonly data: string | Uint8Array;
      readonly errors: readonly GraphQLFormattedError[];
    };

interface Ready {
  readonly operation: PreparedOperation;
  readonly price: Price;
  /** Coerced, defaults applied. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** The key by which equal concurrent calls are joined; undefined for a call that must run by itself. */
  readonly question: Question | undefined;
  /** Whether the operation was not cached, so it also has to be planned. */
  readonly isNew: boolean;
}

interface Prepared {
  readonly operation: PreparedOperation | RefusedDocument;
  /** As in `Ready`. */
  readonly isNew: boolean;
}

/** The operation or refusal of a document that is cached. */
type Known = Prepared['operation'] | undefined;

type Checked = Extract<CallOutcome, { kind: 'refused' }> | { readonly kind: 'ready'; readonly ready: Ready };

export interface CallService {
  run(supergraph: Supergraph, call: Call): Promise<CallOutcome>;
}

const waiting = new Gauge({
  name: 'gateway_new_documents_waiting',
  help: 'Calls with long GraphQL documents not seen before that wait for their turn, or are just run',
});

interface CallDependencies {
  readonly coordination: Coordination;
  readonly admission: Pick<AdmissionService, 'wrote'>;
}

export function createCalls({ coordination, admission }: CallDependencies): CallService {
  const largeCalls = createLargeCallTurns();
  const newDocuments = createNewDocumentTurns();
  const joined = createJoinedQueries();
  const turns = createLoopTurns();

  async function spend(limitKey: string, cost: number): Promise<{ allowed: boolean; state: CostState }> {
    const taken = await coordination.take([costWindowOf(limitKey, cost)], []).catch(() => {
      throw new AppError('service_unavailable', 'Service Unavailable');
    });
    const [window] = taken.windows;
    if (!window) throw new Error('the cost window is missing');
    return { allowed: taken.allowed, state: toCostState(window, cost) };
  }

  async function prepare(supergraph: Supergraph, call: Call, known: Known): Promise<Prepared> {
    const { documents } = supergraph;
    const { query, operationName } = call.request;
    if (known) return { operation: known, isNew: false };
    const { accountId, deadline, departure } = call;
    const errors = await supergraph.check(query, operationName, { accountId, deadline, signal: departure.signal });
    // New operations wait their turn: parsing and pricing dozens at once would block the event loop for 100 ms.
    await turns.take(accountId);
    return { operation: documents(query, operationName, errors), isNew: true };
  }

  async function execute(supergraph: Supergraph, call: Call, ready: Ready): Promise<CallOutcome> {
    const { operation, price, variables, isNew } = ready;
    const { allowed, state } = await spend(call.admission.limitKey, price.cost);
    if (!allowed) {
      const advice = operation.formula.cheaper(variables, state.remaining);
      return { kind: 'too expensive', cost: state, advice };
    }
    call.record.points = price.cost;
    const run = (signal: AbortSignal | undefined): Promise<ServedResult> =>
      supergraph.execute({
        operation,
        variables: call.request.variables,
        coerced: variables,
        context: {
          callerTokens: call.admission.callerTokens,
          accountId: call.accountId,
          requestId: call.requestId,
          record: call.record,
          clientAddress: call.clientAddress,
          languages: call.languages,
          repetition: call.repetition,
          deadline: call.deadline,
          signal,
          rateLimit: { ...state, nodeCount: price.nodes, breakdown: () => costliest(operation, variables) },
        },
      });
    if (isNew) await turns.take(call.accountId);
    const result = await runOnce(call, ready, run);
    const { data, errors, isIncomplete } = result;
    const shown = isIncomplete ? [internalError] : errors;
    // A mutation may answer a secret that it made.
    const isCompressible = isQuery(operation) && !operation.hasSecret;
    return { kind: 'executed', isCompressible, cost: state, data, errors: shown };
  }

  async function runOnce(
    { departure, accountId }: Call,
    { operation, question }: Ready,
    run: (signal: AbortSignal | undefined) => Promise<ServedResult>,
  ): Promise<ServedResult> {
    if (question) return joined.run(question, departure, () => run(departure.signal));
    if (isQuery(operation)) return run(departure.signal);
    // A mutation is finished even when its client disconnects.
    return run(undefined).finally(() => admission.wrote(accountId));
  }

  async function begin(supergraph: Supergraph, call: Call, known: Known): Promise<CallOutcome> {
    const checked = check(supergraph, call, await prepare(supergraph, call, known));
    if (checked.kind === 'refused') return checked;
    const { price, question, operation } = checked.ready;
    Object.assign(call.record, { operation: shownOperation(operation.node.name?.value) });
    const run = () => execute(supergraph, call, checked.ready);
    // A call that joins another one needs no turn, since it adds no work.
    const isSmall = price.nodes < largeCallNodes || (question !== undefined && joined.has(question));
    return isSmall ? run() : largeCalls.run(call.accountId, run, call.departure.signal);
  }

  return {
    async run(supergraph, call) {
      const { accountId, deadline, departure } = call;
      const known = cachedOf(supergraph, call);
      if (known || isShort(call.request.query)) return begin(supergraph, call, known);
      waiting.inc();
      try {
        // An equal one that was before it may have made the document known.
        const run = () => begin(supergraph, call, cachedOf(supergraph, call));
        return await newDocuments.run(accountId, run, { deadline, departure: () => departure.signal });
      } finally {
        waiting.dec();
      }
    },
  };
}

const cachedOf = ({ documents }: Supergraph, { request: { query, operationName } }: Call): Known =>
  documents.cached(query, operationName);

const isQuery = ({ node }: PreparedOperation): boolean => node.operation === OperationTypeNode.QUERY;

/** All checks before execution; those of variables run on every call. */
function check(supergraph: Supergraph, call: Call, { operation, isNew }: Prepared): Checked {
  const { variables } = call.request;
  if (operation.kind === 'refused') return operation;
  const checked = checkVariables(supergraph.schema, operation, variables);
  if (checked.kind === 'refused') return { kind: 'refused', errors: checked.errors.map((error) => formatError(error)) };
  const question = questionOf(supergraph, call, operation, checked.variables);
  return { kind: 'ready', ready: { operation, price: checked.price, variables: checked.variables, question, isNew } };
}

/** The key for joining; undefined for a call that must run by itself. */
function questionOf(
  supergraph: Supergraph,
  { admission: { callerTokens, writes }, accountId, clientAddress, languages }: Call,
  operation: PreparedOperation,
  variables: Ready['variables'],
): Question | undefined {
  if (writes === undefined || operation.isOwn || !isQuery(operation)) return undefined;
  const { hash } = operation;
  return { callerTokens, writes, supergraph, hash, accountId, clientAddress, languages, variables };
}

/** The connections that cost the most points, at most ten: a document may have thousands. */
const costliest = ({ formula }: PreparedOperation, variables: Ready['variables']): readonly ConnectionPrice[] =>
  [...formula.breakdown(variables)]
    .sort((a, b) => b.requests - a.requests || b.nodes - a.nodes)
    .slice(0, limits.breakdown);

const internalError = { message: 'Internal Server Error', extensions: { code: 'INTERNAL_SERVER_ERROR' } };
