import type { DemoFile } from '@itsm/embedded/demo/demo-file';
import { call, query } from './api';
import { createBrowser } from './browser';
import { startReceiver } from './receiver';
import type { Receiver } from './receiver';
import { authorize, revoke, signIn } from './steps/authorize';
import { exceedWindow } from './steps/limits';
import { queryOverview, queryThreeSubgraphs } from './steps/query';
import { writeByRest } from './steps/rest';
import { useSecondAccount } from './steps/second-account';
import { redeem, refresh } from './steps/tokens';
import { readVersions } from './steps/ui-extensions';
import { createRequest, registerWebhook, removeWebhook, verifyWebhook } from './steps/webhook';
import type { Tour } from './tour';

export interface Step {
  readonly name: string;
  /** Resolves with a short summary; throws a sentence when the check fails. */
  run(tour: Tour): Promise<string>;
}

export const steps: readonly Step[] = [
  { name: 'Sign in on the page', run: signIn },
  { name: 'Authorize the demo application', run: authorize },
  { name: 'Redeem the code', run: redeem },
  { name: 'Refresh the tokens', run: refresh },
  { name: 'Query people and requests', run: queryOverview },
  { name: 'Query three subgraphs at once', run: queryThreeSubgraphs },
  { name: 'Register a webhook', run: registerWebhook },
  { name: 'Prove that the receiver is ours', run: verifyWebhook },
  { name: 'Create a request, hear of it', run: createRequest },
  { name: 'Create, change and note a request by REST', run: writeByRest },
  { name: 'Read the versions of a UI extension', run: readVersions },
  { name: 'Exceed the request window', run: exceedWindow },
  { name: 'Delete the webhook', run: removeWebhook },
  { name: 'Revoke the authorization', run: revoke },
  { name: 'Work in the second account of wdc', run: useSecondAccount },
];

export interface StepResult {
  readonly name: string;
  readonly seen: string;
  readonly milliseconds: number;
}

/**
 * Runs every step in order; `report` gets each result. Throws at the first failure. Webhooks go to loopback, unless the
 * platform needs a receiver that it can reach.
 */
export async function runTour(demo: DemoFile, report: (result: StepResult) => void, at?: Receiver): Promise<void> {
  const receiver = at ?? (await startReceiver());
  try {
    const tour = createTour(demo, receiver);
    for (const step of steps) {
      const started = performance.now();
      const seen = await step.run(tour).catch((error: unknown) => {
        throw new Error(`${step.name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      });
      report({ name: step.name, seen, milliseconds: performance.now() - started });
    }
  } finally {
    if (!at) await receiver.close();
  }
}

function createTour(demo: DemoFile, receiver: Receiver): Tour {
  const tour: Tour = {
    demo,
    receiver,
    browser: createBrowser(new URL(demo.auth_url).origin),
    code: '',
    redirectUri: '',
    codeVerifier: '',
    token: '',
    refreshToken: '',
    webhookUrl: '',
    webhookId: '',
    call: (address, init) => call(new URL(address, demo.base_url).href, { token: tour.token, account: 'wdc' }, init),
    query: (source, variables) => query(demo.graphql_url, { token: tour.token, account: 'wdc' }, source, variables),
  };
  return tour;
}
