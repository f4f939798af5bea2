import type { DemoFile } from '@itsm/embedded/demo/demo-file';
import type { Answer, CallInit, GraphqlAnswer } from './api';
import type { Browser } from './browser';
import type { Receiver } from './receiver';

/** The state that the steps share. */
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
  /** Calls a URL, or a path of the platform, as the person who authorised the application. */
  call(address: string, init?: CallInit): Promise<Answer>;
  query(source: string, variables?: Record<string, unknown>): Promise<GraphqlAnswer>;
}
