import { resolve } from 'node:path';
import { createLargeQueries } from '@itsm/shared/api/graphql/large-queries';
import type { LargeQueries } from '@itsm/shared/api/graphql/large-queries';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { AttachmentSettings } from './attachments/module';
import type { Config } from './config';

/** The `workerData` of the thread. */
export interface LargeQuerySetup {
  readonly mongodbUrl: string;
  readonly config: Pick<Config, 'authJwksUrl' | 'baseUrl' | 'importMaxBytes' | 'nodeIdDomain'> & AttachmentSettings;
}

/** The relative path is right for the sources and for the compiled code. */
const script = resolve(__dirname, '../dist/large-queries.thread.js');

export function startLargeQueries({ mongodbUrl, config }: LargeQuerySetup, logger: Logger): LargeQueries {
  const { authJwksUrl, baseUrl, importMaxBytes, nodeIdDomain, attachments } = config;
  const { attachmentMaxBytes, attachmentExtensions } = config;
  const workerData: LargeQuerySetup = {
    mongodbUrl,
    config: {
      authJwksUrl,
      baseUrl,
      importMaxBytes,
      nodeIdDomain,
      attachments,
      ...(attachmentMaxBytes !== undefined && { attachmentMaxBytes }),
      ...(attachmentExtensions && { attachmentExtensions }),
    },
  };
  return createLargeQueries({ script, workerData, logger });
}
