import type { Connection } from 'mongoose';
import { createApp as createAuth } from '@itsm/auth/app';
import { loadConfig as loadAuthConfig } from '@itsm/auth/config';
import { createApp as createConsole } from '@itsm/console/app';
import { loadConfig as loadConsoleConfig } from '@itsm/console/config';
import { createApp as createGateway } from '@itsm/gateway/app';
import { loadConfig as loadGatewayConfig } from '@itsm/gateway/config';
import type { Config as GatewayConfig } from '@itsm/gateway/config';
import { createApp as createGraph } from '@itsm/graph/app';
import { loadConfig as loadGraphConfig } from '@itsm/graph/config';
import { createApp as createUiExtensions } from '@itsm/ui-extensions/app';
import { loadConfig as loadUiExtensionsConfig } from '@itsm/ui-extensions/config';
import { createApp as createDelivery } from '@itsm/webhook-delivery/app';
import { loadConfig as loadDeliveryConfig } from '@itsm/webhook-delivery/config';
import { createApp as createWebhooks } from '@itsm/webhooks/app';
import { loadConfig as loadWebhooksConfig } from '@itsm/webhooks/config';
import type { App, Closable } from '@itsm/shared/running/app';
import { listen } from '@itsm/shared/running/listen';
import { measureRequests } from '@itsm/shared/running/run-service';
import { createMemoryBroker } from '@itsm/shared/messages/broker/memory-broker';
import { createMemoryCoordination } from '@itsm/shared/stores/coordination/memory-coordination';
import type { LogLevel, Logger } from '@itsm/shared/observing/logs/logger';
import { createLogger } from '@itsm/shared/observing/logs/logger';
import { UnknownKeyError } from '@itsm/shared/base/secrets/sealer';
import { systemClock } from '@itsm/shared/base/time/clock';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { DataDirectory } from './data/data-directory';
import { openStore, prefixOf } from './data/store';
import { readCompiledTexts } from './demo/compiled-texts';
import { seedDemo } from './demo/demo';
import type { DemoContent } from './demo/demo';
import { tellEnd } from './demo/tell-end';
import { openOperatorDoor } from './operator/operator-door';
import { StartFailure } from './start-failure';
import { serviceEnvironment } from './service-environment';
import type { Environment } from './service-environment';

export interface PlatformOptions {
  readonly port: number;
  readonly data: DataDirectory;
  /** The MongoDB that stores the data instead of the embedded store. */
  readonly mongodbUrl?: string | undefined;
  readonly logLevel: LogLevel;
  /** Overrides the settings of the services. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What the demo has at its first start; `plain` by default. */
  readonly demoData?: DemoContent;
  /** The clock of a part, `coordination` included; by default that of the machine. */
  readonly clockOf?: (part: string) => Clock;
  /** Called at each step of the start, with a few words about it. */
  readonly progress: (step: string) => void;
}

/** A running platform. */
export interface Platform extends Closable {
  readonly baseUrl: string;
  /** The configuration of its gateway, with which another gateway can be started in front of the same services. */
  readonly gateway: GatewayConfig;
}

const loopback = '127.0.0.1';
const keysOfAnotherFolder = 'the data in the store were sealed with the keys of another data folder';
const thatFolder = 'Set DATA_DIR to that folder, or name another database in MONGODB_URL.';

/**
 * Starts the seven deployables in this process, each on its own loopback port; only the gateway's port is announced.
 * They are closed in reverse order.
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const opened: Closable[] = [];
  const opens = <T extends Closable>(closable: T): T => {
    opened.push(closable);
    return closable;
  };
  const close = async (): Promise<void> => {
    for (const closable of opened.reverse()) await closable.close();
  };
  try {
    const gateway = await compose(options, opens);
    return { baseUrl: gateway.baseUrl, gateway, close };
  } catch (error) {
    await close();
    if (error instanceof UnknownKeyError) throw new StartFailure(keysOfAnotherFolder, thatFolder, error);
    throw error;
  }
}

async function compose(
  {
    port,
    data,
    mongodbUrl,
    logLevel,
    settings = {},
    demoData = 'plain',
    clockOf = () => systemClock,
    progress,
  }: PlatformOptions,
  opens: <T extends Closable>(closable: T) => T,
): Promise<GatewayConfig> {
  const loggerOf = (service: string): Logger => createLogger(service, logLevel, (line) => data.log(line));
  progress('Opening the store');
  const store = opens(await openStore({ directory: data.mongo, mongodbUrl, logger: loggerOf('store') }));
  const connect = async (service: string): Promise<Connection> => {
    const connection = await store.connect(service);
    opens(connection);
    return connection;
  };
  const broker = opens(
    createMemoryBroker({ logger: loggerOf('broker'), onDeadLetter: (letter) => data.keepDeadLetter(letter) }),
  );
  const coordination = opens(createMemoryCoordination({ now: clockOf('coordination') }));

  progress('Starting the services');
  const environment = serviceEnvironment({ port, secrets: data.secrets, attachments: data.attachments, settings });
  const of = async <T>(name: string, load: (env: Environment) => T, more?: Environment) => ({
    config: load(environment(name, more)),
    connection: await connect(name),
    broker,
    logger: loggerOf(name),
    now: clockOf(name),
  });

  const auth = createAuth({ ...(await of('auth', loadAuthConfig)), coordination });
  const authUrl = await serve('auth', auth, opens);
  const later = { AUTH_JWKS_URL: `${authUrl}/oauth/jwks` };
  const graph = createGraph(await of('graph', loadGraphConfig, later));
  const webhooks = createWebhooks(await of('webhooks', loadWebhooksConfig, later));
  const delivery = createDelivery(await of('webhook-delivery', loadDeliveryConfig, later));
  const extensions = await of('ui-extensions', loadUiExtensionsConfig, later);
  const uiExtensions = createUiExtensions({ ...extensions, compiledAhead: readCompiledTexts() });
  const upstreams = {
    AUTH_URL: authUrl,
    GRAPH_URL: await serve('graph', graph, opens),
    WEBHOOKS_URL: await serve('webhooks', webhooks, opens),
    WEBHOOK_DELIVERY_URL: await serve('webhook-delivery', delivery, opens),
    UI_EXTENSIONS_URL: await serve('ui-extensions', uiExtensions, opens),
  };
  // Consumers start first: a publish to the in-process broker fails while a bound queue has no consumer.
  for (const app of [webhooks, delivery, graph, uiExtensions, auth]) await begin(app, opens);

  const console = createConsole({
    config: loadConsoleConfig(environment('console', { GATEWAY_URL: `http://${loopback}:${port}` })),
    logger: loggerOf('console'),
    now: clockOf('console'),
  });
  const consoleUrl = await serve('console', console, opens);
  await begin(console, opens);

  progress('Checking the demo data');
  const config = loadGatewayConfig(environment('gateway', { ...upstreams, CONSOLE_URL: consoleUrl }));
  const demo = await seedDemo({
    auth: auth.operator,
    records: graph.seed,
    extensions: uiExtensions.seed,
    now: clockOf('demo'),
    file: data.demoFile,
    databases: mongodbUrl && prefixOf(mongodbUrl),
    baseUrl: config.baseUrl,
    content: demoData,
  });

  progress('Composing the GraphQL schema');
  const gateway = createGateway({
    config,
    coordination,
    sharedRevisions: true,
    logger: loggerOf('gateway'),
    now: clockOf('gateway'),
  });
  await begin(gateway, opens);
  await gateway.ready();
  await serve('gateway', gateway, opens, port);
  const told = await tellEnd(demo, data.demoFile, loggerOf('demo'));
  if (told) opens(told);
  opens(await openOperatorDoor(auth.operator, config.baseUrl, data.operatorFile, loggerOf('operator')));
  return config;
}

async function serve(name: string, app: App, opens: (closable: Closable) => unknown, port = 0): Promise<string> {
  const listening = await listen(app, port, loopback);
  measureRequests(listening.server, name);
  opens(listening);
  return `http://${loopback}:${listening.port}`;
}

async function begin(app: App, opens: (closable: Closable) => unknown): Promise<void> {
  await app.start();
  opens({ close: () => app.stop() });
}
