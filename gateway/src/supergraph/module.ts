import type { Module } from '@itsm/shared/running/module';
import type { ExecutorSettings } from '../execution/load-executor';
import type { GatewayPlatform, Transport } from '../transport/module';
import type { FieldScopes } from './field-scopes';
import type { PlanningOptions } from './planning';
import type { Supergraph } from './supergraph';
import { createSupergraphSource } from './supergraph-source';

export type { PlanningOptions } from './planning';

interface Needs {
  readonly transport: Transport;
  readonly settings: {
    readonly supergraph: string | undefined;
    readonly acceptsBreakingChanges: boolean;
    readonly executors: ExecutorSettings;
  };
  /** The interval between polls of the services' schemas. */
  readonly pollMilliseconds: number;
  /** As in `SupergraphOptions`. */
  readonly planning: PlanningOptions | undefined;
}

/** The state of the graph, for health and metrics. */
export interface GraphState {
  /** Resolves once the graph is composed. */
  readonly ready: () => Promise<void>;
  /** Whether GraphQL is served, and why the services' newest schemas are refused, if they are. */
  readonly schemaState: () => { readonly isComposed: boolean; readonly refusal: string | undefined };
}

export interface Graph extends Module, GraphState {
  /** Undefined until every service has reported its schema. */
  present(): Supergraph | undefined;
  /** The scopes of its fields; undefined for a fixed supergraph, which declares none. */
  fieldScopes(): FieldScopes | undefined;
}

export function createGraph({ logger, now }: GatewayPlatform, needs: Needs): Graph {
  const { transport, settings, pollMilliseconds, planning } = needs;
  const { supergraph: fixed, acceptsBreakingChanges, executors } = settings;
  const { pools } = transport.upstreams;
  const source = createSupergraphSource({
    fixed,
    acceptsBreakingChanges,
    executors,
    pools,
    pollMilliseconds,
    planning,
    logger,
    now,
  });
  return {
    present: () => source.present(),
    fieldScopes: () => source.fieldScopes(),
    ready: () => source.ready(),
    schemaState: () => ({ isComposed: source.present() !== undefined, refusal: source.refusal() }),
    runners: [source],
  };
}
