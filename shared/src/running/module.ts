import type { Router } from 'express';
import type { Connection } from 'mongoose';
import type { ResolverMap } from '../api/graphql/merge-resolvers';
import type { Sealer } from '../base/secrets/sealer';
import type { Clock } from '../base/time/clock';
import type { Queue } from '../contracts/contract';
import type { Broker, Handler, SubscribeOptions } from '../messages/broker/broker';
import type { Logger } from '../observing/logs/logger';
import type { Presence } from '../stores/presence/presence';
import type { App } from './app';

/** What the process gives to every service. */
export interface Resources {
  readonly connection: Connection;
  readonly logger: Logger;
  readonly now: Clock;
}

/** Of a service that sends messages or takes them. */
export interface MessagingResources extends Resources {
  readonly broker: Broker;
}

/** What every module of a service may use; anything else it names as its needs. */
export interface Platform extends Resources {
  /** Public origin, start of links. */
  readonly baseUrl: string;
  readonly nodeIdDomain: string;
}

/** Of a service that sends messages, and keeps some things sealed. */
export interface MessagingPlatform extends Platform {
  readonly sealer: Sealer;
  /** Of this process, under which it leases work. */
  readonly presence: Presence;
  /** Has waiting messages sent at once. */
  readonly nudge: () => void;
}

/** What a module adds to the service that it is part of; all of it optional. */
export interface Module {
  /** Its part of the GraphQL API, with `resolvers` for it. */
  readonly sdl?: string;
  readonly resolvers?: ResolverMap;
  readonly routes?: readonly Route[];
  readonly consumers?: readonly Consumer[];
  readonly stores?: readonly Store[];
  /** Started in order, stopped in the opposite order. */
  readonly runners?: readonly Runner[];
}

/** What answers below `path`, for anonymous requests or for callers that the gateway vouches for. */
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

/** What needs indexes before it is used. */
export interface Store {
  ensureIndexes(): Promise<void>;
}

/** What works by itself while the service runs, or only has to be closed. */
export interface Runner {
  start?(): Promise<void> | void;
  stop(): Promise<void> | void;
}

/** What the modules run, as one. */
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
