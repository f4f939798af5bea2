import { parentPort, workerData } from 'node:worker_threads';
import { parse } from 'graphql';
import { goBehind } from '@itsm/shared/base/concurrency/idle-thread';
import { checkDocument } from '@itsm/shared/pricing/check-document';
import { createPlanner } from '../execution/query-planner';
import { formatError } from './graphql-errors';
import type { FromPlanning, PlanningWork, ToPlanning } from './planning';

// Checks and plans GraphQL documents outside the main thread's event loop.
const port = parentPort;
if (!port) throw new Error('this is run as a thread');
// One step: clients wait for it, so it must not starve on a busy machine.
goBehind(1);

const planner = createPlanner(workerData as string);

function answer({ kind, query, operationName }: PlanningWork): unknown {
  if (kind === 'plan') return planner.plan(parse(query, { noLocation: true }), operationName);
  const checked = checkDocument(planner.schema, query, operationName);
  return checked.kind === 'refused' ? checked.errors.map((error) => formatError(error)) : [];
}

const post = (message: FromPlanning): void => port.postMessage(message);

port.on('message', ({ id, ...work }: ToPlanning) => {
  try {
    post({ kind: 'done', id, text: JSON.stringify(answer(work)) });
  } catch (error) {
    post({ kind: 'failed', id, error });
  }
});
