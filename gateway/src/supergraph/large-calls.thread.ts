import { parentPort, workerData } from 'node:worker_threads';
import { Kind } from 'graphql';
import { goLast } from '@itsm/shared/base/concurrency/idle-thread';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { ExecutionContext } from '../execution/executor';
import { createServiceClient } from '../execution/service-client';
import type { ServiceCall, ServiceClient } from '../execution/service-client';
import { deadlineIn } from '../transport/deadline';
import { loadExecution } from './load-execution';
import type { FromThread, LargeCall, LargeCallSetup, ToThread } from './large-call';

// Runs large calls outside the main thread's event loop. It has no connections: the main thread calls the services.
const { supergraphSdl, executor, services } = workerData as LargeCallSetup;
const port = parentPort;
if (!port) throw new Error('this is run as a thread');
goLast();

const noTokens = { auth: '', graph: '', webhooks: '', 'webhook-delivery': '', 'ui-extensions': '' };
const callIds = new WeakMap<ExecutionContext, number>();
const fetches = new Map<number, (answer: Uint8Array | undefined) => void>();
let lastFetch = 0;

const post = (message: FromThread, transferred: ArrayBuffer[] = []): void => port.postMessage(message, transferred);

const log =
  (level: keyof Logger) =>
  (message: string, facts: object = {}): void =>
    post({ kind: 'log', level, message, facts });
const logger: Logger = { error: log('error'), warn: log('warn'), info: log('info'), debug: log('debug') };

const callThrough =
  (service: string): ServiceCall =>
  (body, context) => {
    lastFetch += 1;
    const fetch = lastFetch;
    post({ kind: 'fetch', fetch, id: callIds.get(context) ?? 0, service, body });
    return new Promise((resolve) => fetches.set(fetch, resolve));
  };

const clients = new Map(
  services.map((service): [string, ServiceClient] => [
    service,
    createServiceClient(service, callThrough(service), logger),
  ]),
);
const loading = loadExecution(supergraphSdl, {
  services: clients,
  executors: { chosen: executor, shadowRatio: 0 },
  logger,
});

async function execute(id: number, call: LargeCall): Promise<void> {
  const { document, hash, conditions, variables, coerced, price, breakdown, requestId } = call;
  const node = document.definitions[call.definition];
  if (node?.kind !== Kind.OPERATION_DEFINITION) throw new Error('that is no operation');
  const context: ExecutionContext = {
    requestId,
    // Tokens stay in the main thread.
    callerTokens: noTokens,
    accountId: '',
    clientAddress: '',
    languages: [],
    deadline: deadlineIn(Infinity),
    rateLimit: { ...price, breakdown: () => breakdown },
  };
  callIds.set(context, id);
  const { execute } = await loading;
  const operation = { document, hash, node, conditions, isSmall: false };
  const { data, errors, isIncomplete } = await execute({ operation, variables, coerced, context });
  const bytes = new TextEncoder().encode(data);
  post({ kind: 'executed', id, data: bytes, errors, isIncomplete }, [bytes.buffer]);
}

port.on('message', (message: ToThread) => {
  if (message.kind === 'execute')
    execute(message.id, message.call).catch((error: unknown) => post({ kind: 'failed', id: message.id, error }));
  else {
    fetches.get(message.fetch)?.(message.answer);
    fetches.delete(message.fetch);
  }
});
