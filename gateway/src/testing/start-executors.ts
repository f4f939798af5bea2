import { getVariableValues, graphql } from 'graphql';
import type { GraphQLError } from 'graphql';
import { silentLogger } from '@itsm/shared/observing/logs/logger';
import { createDocuments } from '../supergraph/documents';
import { loadApolloExecutor } from '../execution/apollo-executor';
import { createCompiledExecutor } from '../execution/compiled-executor';
import type { Executor, ExecutionContext } from '../execution/executor';
import { createPlanner } from '../execution/query-planner';
import type { PlanForCall } from '../execution/query-planner';
import type { Subgraph } from '../execution/subgraph';
import type { ServicePart } from '../execution/service-client';
import { generatedServices, generatedSupergraph } from './generated-graph';

export const executorNames = ['compiled', 'apollo'] as const;
export type ExecutorName = (typeof executorNames)[number];

const supergraphSdl = generatedSupergraph();
const planner = createPlanner(supergraphSdl);

export const generatedSchema = planner.schema;

/** Changes the answer of a service, or drops it. */
type Change = (part: ServicePart, service: string) => ServicePart | undefined | Promise<ServicePart | undefined>;

/** Errors in the form that a service client returns. */
const toPublic = ({ message, path = [] }: GraphQLError) => ({ message, path, extensions: { code: 'FAULT' } });

let turns = Promise.resolve();

/**
 * Resolves answers one after the other, as on a network, so that two of them never become one merged fetch by chance.
 */
const ownTurn = (): Promise<void> => (turns = turns.then(() => new Promise((resolve) => setImmediate(resolve))));

/** An executor over in-process services; `change` can alter their answers. */
export async function startExecutor(name: ExecutorName, change: Change = (part) => part) {
  let plans = 0;
  const sent: string[] = [];
  const subgraphs = new Map<string, Subgraph>(
    [...generatedServices].map(([service, schema]) => [
      service,
      async ({ query }, variables) => {
        sent.push(variables);
        const variableValues = JSON.parse(variables) as Record<string, unknown>;
        const { data, errors } = await graphql({ schema, source: query, variableValues });
        await ownTurn();
        const part = { data: data ?? null, ...(errors && { errors: errors.map(toPublic) }) };
        return change(JSON.parse(JSON.stringify(part)) as ServicePart, service);
      },
    ]),
  );
  const plan: PlanForCall = (document, { node }) => {
    plans += 1;
    return planner.plan(document, node.name?.value);
  };
  const options = { supergraphSdl, planner, plan, subgraphs, logger: silentLogger };
  const load: Record<ExecutorName, () => Executor | Promise<Executor>> = {
    compiled: () => createCompiledExecutor(options),
    apollo: () => loadApolloExecutor(options),
  };
  const execute = await load[name]();
  const documents = createDocuments(planner.schema);
  const run = (query: string, variables: Record<string, unknown> = {}) => {
    const operation = documents(query, undefined);
    if (operation.kind === 'refused') throw new Error(JSON.stringify(operation.errors));
    const { coerced = {} } = getVariableValues(planner.schema, operation.node.variableDefinitions ?? [], variables);
    return execute({ operation, variables, coerced, context: {} as ExecutionContext });
  };
  return { run, plans: () => plans, sent };
}
