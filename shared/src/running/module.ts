import type { Router } from 'express';
import type { Connection } from 'mongoose';
import type { ResolverMap } from '../api/graphql/merge-resolvers';
import type { Sealer } from '../base/secrets/sealer';
import type { Clock } from '../base/time/clock';
import type { Queue } from '../contracts/contract';
import type { TypeDescription } from '../declared/description';
import type { Broker, Handler, SubscribeOptions } from '../messages/broker/broker';
import type { Logger } from '../observing/logs/logger';
import type { Presence } from '../stores/presence/presence';
import type { App } from './app';

/** The resources that the process gives to every service. */
export interface Resources {
  readonly connection: Connection;
  readonly logger: Logger;
  readonly now: Clock;
}

/** For a service that sends or receives messages. */
export interface MessagingResources extends Resources {
  readonly broker: Broker;
}

/** The parts of the platform that every module of a service may use; a module declares further needs itself. */
export interface Platform extends Resources {
  /** The public origin, for absolute links. */
  readonly baseUrl: string;
  readonly nodeIdDomain: string;
}

/** For a service that sends messages and stores sealed texts. */
export interface MessagingPlatform extends Platform {
  readonly sealer: Sealer;
  /** The presence of this process, under which it leases work. */
  readonly presence: Presence;
  /** Triggers the relay of the outboxes at once. */
  readonly nudge: () => void;
}

/** The contributions of a module to its service; all are optional. */
export interface Module {
  /** Its part of the GraphQL API, resolved by `resolvers`. */
  readonly sdl?: string;
  readonly resolvers?: ResolverMap;
  /** What its types are, in words, for `GET /v1/types`. */
  readonly types?: readonly TypeDescription[];
  readonly routes?: readonly Route[];
  readonly consumers?: readonly Consumer[];
  readonly stores?: readonly Store[];
  /** Started in order, stopped in reverse. */
  readonly runners?: readonly Runner[];
}

/** The router below `path`, for anonymous requests or for authenticated callers. */
export interface Route {
  readonly path: string;
  readonly access: 'public' | 'caller';
  readonly router: Router;
}

export interface Consumer {
  readonly queue: Queue;
  readonly handlers: readonly Handler[];
  readonly options?: SubscribeOptions;
}

/** A repository that needs indexes before it is used. */
export interface Store {
  ensureIndexes(): Promise<void>;
}

/** Background work while the service runs, or a resource that only has to be closed. */
export interface Runner {
  start?(): Promise<void> | void;
  stop(): Promise<void> | void;
}

/** The runners of all modules as one. */
export function runnersOf(modules: readonly Module[]): Pick<App, 'start' | 'stop'> {
  const runners = modules.flatMap((module) => module.runners ?? []);
  return {
    async start() {
      for (const runner of runners) await runner.start?.();
    },
    async stop() {
      for (const runner of [...runners].reverse()) await runner.stop();
    },
  };
}
