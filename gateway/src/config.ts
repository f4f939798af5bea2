import { isIP } from 'node:net';
import { z } from 'zod';
import { parseConfig } from '@itsm/shared/base/config/parse-config';
import { commaList, processSettings, settings } from '@itsm/shared/base/config/settings';
import type { LogLevel } from '@itsm/shared/observing/logs/logger';
import type { ExecutorSettings } from './execution/load-executor';
import { isBaseTaken } from './transport/hosts';
import type { ServiceName } from './transport/upstreams';

const isOrigin = (text: string): boolean => text === '*' || (URL.canParse(text) && new URL(text).origin === text);

const isHost = (text: string): boolean => text === '*' || /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(text);

const isAddressOrRange = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
};

const processesRule = 'must be a whole number from 1 to 64';

/** Every setting of the gateway by its environment name. */
export const settingsSchema = z.object({
  ...processSettings(4000),
  BASE_URL: settings.baseUrl,
  ACCOUNT_URL: settings.accountUrl,
  HOSTS: commaList('*')
    .refine((hosts) => hosts.every(isHost), 'must be names such as gateway or name:port, or *')
    .describe(
      'Further names by which the gateway may be called, with or without a port, separated by commas; others than these and those of BASE_URL and ACCOUNT_URL are refused. * accepts any',
    ),
  AUTH_URL: settings.httpUrl.describe('Internal address of auth'),
  GRAPH_URL: settings.httpUrl.describe('Internal address of graph'),
  WEBHOOKS_URL: settings.httpUrl.describe('Internal address of webhooks'),
  WEBHOOK_DELIVERY_URL: settings.httpUrl.describe('Internal address of webhook-delivery'),
  UI_EXTENSIONS_URL: settings.httpUrl.describe('Internal address of ui-extensions'),
  CONSOLE_URL: settings.httpUrl
    .optional()
    .describe(
      'Internal address of the console; without it there is no console, and the pages of accounts only say where their records are',
    ),
  GATEWAY_PROCESSES: z.coerce
    .number(processesRule)
    .int(processesRule)
    .min(1, processesRule)
    .max(64, processesRule)
    .default(1)
    .describe(
      'Number of worker processes that share the port, such as one for each core; more than one needs REDIS_URL',
    ),
  INTROSPECTION_SECRET: settings.introspectionSecret,
  REDIS_URL: settings.redisUrl,
  ACCOUNT_HEADER_ALIASES: commaList()
    .refine((names) => names.every((name) => /^[A-Za-z0-9-]+$/.test(name)), 'must be header names')
    .describe('Aliases of the X-Service-Account header, separated by commas'),
  ALLOW_PLAIN_HTTP: settings.flag.describe(
    'Whether clients elsewhere may use plain http; only for local work, as in containers',
  ),
  CORS_ORIGINS: commaList('*')
    .refine((origins) => origins.every(isOrigin), 'must be origins such as https://app.example.com, or *')
    .describe('Origins whose pages may call the API from a browser, separated by commas; * allows all'),
  SUPERGRAPH: z.string().optional().describe('A fixed graph (federated SDL) instead of one composed from the services'),
  BREAKING_SCHEMA_CHANGES: z
    .enum(['refuse', 'accept'])
    .default('refuse')
    .describe('Whether a running gateway refuses or accepts schemas with breaking changes'),
  EXECUTOR: z
    .enum(['compiled', 'apollo'])
    .default('compiled')
    .describe(
      "Executor of GraphQL operations: the gateway's own, or that of @apollo/gateway; both give the same responses",
    ),
  SHADOW_RATIO: z.coerce
    .number('must be a number from 0 to 1')
    .min(0)
    .max(1)
    .default(0)
    .describe('Share of the GraphQL queries that the other executor also runs, for comparison, from 0 to 1'),
  TRUSTED_PROXIES: commaList()
    .refine((items) => items.every(isAddressOrRange), 'must be addresses or CIDR ranges')
    .describe('Addresses or ranges whose X-Forwarded-* headers are trusted, separated by commas'),
});

/** The settings as the gateway names them. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly logLevel: LogLevel;
  readonly opsPort: number | undefined;
  readonly processes: number;
  readonly otlpEndpoint: string | undefined;
  readonly traceRatio: number;
  readonly baseUrl: string;
  readonly accountUrl: string;
  /** As in `createHosts`. */
  readonly furtherHosts: readonly string[];
  /** Origins. */
  readonly services: Readonly<Record<ServiceName, string>>;
  /** Origin. */
  readonly consoleUrl: string | undefined;
  readonly introspectionSecret: string;
  readonly redisUrl: string | undefined;
  /** In lower case. */
  readonly accountHeaders: readonly string[];
  readonly supergraph: string | undefined;
  readonly acceptsBreakingChanges: boolean;
  readonly executors: ExecutorSettings;
  readonly allowPlainHttp: boolean;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
}

const toConfig = (given: z.output<typeof settingsSchema>): Config => ({
  port: given.PORT,
  host: given.HOST,
  logLevel: given.LOG_LEVEL,
  opsPort: given.OPS_PORT,
  processes: given.GATEWAY_PROCESSES,
  otlpEndpoint: given.OTLP_ENDPOINT,
  traceRatio: given.TRACE_RATIO,
  baseUrl: given.BASE_URL,
  accountUrl: given.ACCOUNT_URL,
  furtherHosts: given.HOSTS,
  services: {
    auth: origin(given.AUTH_URL),
    graph: origin(given.GRAPH_URL),
    webhooks: origin(given.WEBHOOKS_URL),
    'webhook-delivery': origin(given.WEBHOOK_DELIVERY_URL),
    'ui-extensions': origin(given.UI_EXTENSIONS_URL),
  },
  consoleUrl: given.CONSOLE_URL === undefined ? undefined : origin(given.CONSOLE_URL),
  introspectionSecret: given.INTROSPECTION_SECRET.split(',')[0] ?? '',
  redisUrl: given.REDIS_URL,
  accountHeaders: ['x-service-account', ...given.ACCOUNT_HEADER_ALIASES.map((name) => name.toLowerCase())],
  supergraph: given.SUPERGRAPH,
  acceptsBreakingChanges: given.BREAKING_SCHEMA_CHANGES === 'accept',
  executors: { chosen: given.EXECUTOR, shadowRatio: given.SHADOW_RATIO },
  allowPlainHttp: given.ALLOW_PLAIN_HTTP,
  corsOrigins: given.CORS_ORIGINS,
  trustedProxies: given.TRUSTED_PROXIES,
});

const origin = (url: string): string => new URL(url).origin;

const checkedSchema = settingsSchema
  .refine((given) => !isBaseTaken({ baseUrl: given.BASE_URL, accountUrl: given.ACCOUNT_URL }), {
    path: ['BASE_URL'],
    message: 'has a name that an account may have; use the domain of ACCOUNT_URL itself, or www. before it',
  })
  .refine((given) => given.GATEWAY_PROCESSES === 1 || given.REDIS_URL !== undefined, {
    path: ['GATEWAY_PROCESSES'],
    message:
      'needs REDIS_URL for more than 1: without it each process counts for itself, and callers have every limit as often',
  });

/** The gateway's settings from `env`; throws `ConfigError` naming every bad or missing one. */
export const loadConfig = (env: Readonly<Record<string, string | undefined>>): Config =>
  toConfig(parseConfig(checkedSchema, env));
