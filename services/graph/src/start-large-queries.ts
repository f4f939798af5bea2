import { resolve } from 'node:path';
import { createLargeQueries } from '@itsm/shared/api/graphql/large-queries';
import type { LargeQueries } from '@itsm/shared/api/graphql/large-queries';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Config } from './config';

/** What the thread is started with. */
export interface LargeQuerySetup {
  readonly mongodbUrl: string;
  readonly config: Pick<Config, 'authJwksUrl' | 'baseUrl' | 'importMaxBytes' | 'nodeIdDomain'>;
}

/** The same seen from the sources and from what is compiled. */
const script = resolve(__dirname, '../dist/large-queries.thread.js');

export function startLargeQueries({ mongodbUrl, config }: LargeQuerySetup, logger: Logger): LargeQueries {
  const { authJwksUrl, baseUrl, importMaxBytes, nodeIdDomain } = config;
  const workerData: LargeQuerySetup = {
    mongodbUrl,
    config: { authJwksUrl, baseUrl, importMaxBytes, nodeIdDomain },
  };
  return createLargeQueries({ script, workerData, logger });
}
