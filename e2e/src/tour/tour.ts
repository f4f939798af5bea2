import type { DemoFile } from '@itsm/embedded/demo/demo-file';
import type { Answer, GraphqlAnswer } from './api';
import type { Browser } from './browser';
import type { Receiver } from './receiver';

/** What the steps hand on to one another. */
export interface Tour {
  readonly demo: DemoFile;
  readonly receiver: Receiver;
  browser: Browser;
  code: string;
  redirectUri: string;
  codeVerifier: string;
  token: string;
  refreshToken: string;
  webhookUrl: string;
  webhookId: string;
  /** Calls an address, or a path of the platform, as the person who authorized the application. */
  call(address: string, init?: { method?: string; json?: unknown }): Promise<Answer>;
  query(source: string, variables?: Record<string, unknown>): Promise<GraphqlAnswer>;
}
