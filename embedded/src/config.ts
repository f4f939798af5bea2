import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { parseConfig } from '@itsm/shared/base/config/parse-config';
import type { ConfigOf } from '@itsm/shared/base/config/parse-config';
import { settings } from '@itsm/shared/base/config/settings';
import { demoContents } from './demo/demo';
import { hasAllowedPrefix, prefixRule } from './data/store';
import { decidedHere, passedOn } from './service-settings';

const placeSchema = z.object({
  PORT: settings
    .port(4000)
    .refine((port) => port > 0, 'must be a port number')
    .describe('Port of the gateway'),
  DATA_DIR: z.string().default('.data').describe('Folder that keeps the data'),
  MONGODB_URL: settings.mongodbUrl
    .refine(hasAllowedPrefix, prefixRule)
    .optional()
    .describe('MongoDB that keeps the data; without it the embedded store does'),
});

export const localSettingsSchema = placeSchema.extend({
  DEMO_DATA: z
    .enum(demoContents)
    .default('story')
    .describe(
      'What the demo account `wdc` gets at the first start: `story`, a week of a service desk, or `plain`, fifty requests',
    ),
  LOG_LEVEL: settings.logLevel,
  OPS_PORT: settings.opsPort,
  OTLP_ENDPOINT: settings.otlpEndpoint,
  TRACE_RATIO: settings.traceRatio,
});

/** Some shells export `HOST` as the name of the machine. Only an IP address is a setting; 127.0.0.1 is used anyway. */
const isMeant = (name: string, value: string): boolean =>
  name !== 'HOST' || (isIP(value) !== 0 && value !== '127.0.0.1');

const refused = Object.entries(decidedHere).map(([name, reason]) => {
  const message = `cannot be set for npm start: ${reason}`;
  return [name, z.string().refine((value) => !isMeant(name, value), message)] as const;
});

/** Service settings are validated before anything starts. */
const checkedSchema = localSettingsSchema
  .extend(
    Object.fromEntries([...Object.entries(passedOn), ...refused].map(([name, setting]) => [name, setting.optional()])),
  )
  .refine(({ GATEWAY_PROCESSES: processes }) => processes === undefined || processes === 1, {
    path: ['GATEWAY_PROCESSES'],
    message: 'must be 1 here, where everything runs in one process',
  });

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a platform on this machine listens, and where its data is. */
export interface Place {
  readonly port: number;
  readonly dataDirectory: string;
  /** Undefined for the embedded store. */
  readonly mongodbUrl: string | undefined;
}

/** The local mode has few settings of its own. All others of the services are passed on, fixed or generated. */
export interface LocalConfig
  extends Place, Omit<ConfigOf<typeof localSettingsSchema>, 'port' | 'dataDir' | 'mongodbUrl'> {
  /** Settings of the services, passed on unchanged. */
  readonly settings: Readonly<Record<string, string>>;
}

/** For commands that connect to a running platform. A relative `DATA_DIR` is resolved against `folder`. */
export function loadPlace(env: Environment, folder: string): Place {
  const { PORT, DATA_DIR, MONGODB_URL } = parseConfig(placeSchema, env);
  return { port: PORT, dataDirectory: resolve(folder, DATA_DIR), mongodbUrl: MONGODB_URL };
}

/**
 * Throws a `ConfigError` for invalid settings, and for those that cannot be set for `npm start`. A relative `DATA_DIR`
 * is resolved against `folder`.
 */
export function loadConfig(env: Environment, folder: string): LocalConfig {
  const checked = localSettingsSchema.parse(parseConfig(checkedSchema, env));
  const { PORT, DATA_DIR, MONGODB_URL, DEMO_DATA, LOG_LEVEL, OPS_PORT, OTLP_ENDPOINT, TRACE_RATIO } = checked;
  const names = Object.keys(passedOn).flatMap((name) => [name, `${name}_FILE`]);
  const given = names.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
  return {
    port: PORT,
    dataDirectory: resolve(folder, DATA_DIR),
    demoData: DEMO_DATA,
    logLevel: LOG_LEVEL,
    opsPort: OPS_PORT,
    otlpEndpoint: OTLP_ENDPOINT,
    traceRatio: TRACE_RATIO,
    mongodbUrl: MONGODB_URL,
    settings: Object.fromEntries(given),
  };
}
