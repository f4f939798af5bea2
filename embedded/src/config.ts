import { resolve } from 'node:path';
import { z } from 'zod';
import { parseConfig } from '@itsm/shared/base/config/parse-config';
import { settings } from '@itsm/shared/base/config/settings';
import { hasAllowedPrefix, prefixRule } from './data/store';
import { passedOn } from './service-settings';

export const localSettingsSchema = z.object({
  PORT: settings
    .port(4000)
    .refine((port) => port > 0, 'must be a port number')
    .describe('Port of the gateway'),
  DATA_DIR: z.string().default('.data').describe('Folder that keeps the data'),
  LOG_LEVEL: settings.logLevel,
  MONGODB_URL: settings.mongodbUrl
    .refine(hasAllowedPrefix, prefixRule)
    .optional()
    .describe('MongoDB that keeps the data; without it the embedded store does'),
});
/** Those of the services have values here, or defaults there; a bad one is named before anything is started. */
const checkedSchema = localSettingsSchema
  .extend(Object.fromEntries(Object.entries(passedOn).map(([name, setting]) => [name, setting.optional()])))
  .refine(({ GATEWAY_PROCESSES: processes }) => processes === undefined || processes === 1, {
    path: ['GATEWAY_PROCESSES'],
    message: 'must be 1 here, where everything runs in one process',
  });

/** The local mode has few settings of its own; what else the services need is passed on, decided or made up. */
export interface LocalConfig {
  readonly port: number;
  readonly dataDirectory: string;
  readonly logLevel: z.output<typeof settings.logLevel>;
  /** Without it the embedded store is opened. */
  readonly mongodbUrl: string | undefined;
  /** Settings of the services, as they were given. */
  readonly settings: Readonly<Record<string, string>>;
}

/** `folder`: what a relative `DATA_DIR` starts from. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>, folder: string): LocalConfig {
  const { PORT, DATA_DIR, LOG_LEVEL, MONGODB_URL } = localSettingsSchema.parse(parseConfig(checkedSchema, env));
  const names = Object.keys(passedOn).flatMap((name) => [name, `${name}_FILE`]);
  const given = names.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
  return {
    port: PORT,
    dataDirectory: resolve(folder, DATA_DIR),
    logLevel: LOG_LEVEL,
    mongodbUrl: MONGODB_URL,
    settings: Object.fromEntries(given),
  };
}
