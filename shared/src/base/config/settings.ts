import { z } from 'zod';
import { ConnectionString } from 'mongodb-connection-string-url';
import { parseSentinelAddress } from './sentinel-address';

const url = (protocols: readonly string[], what: string) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), `must be ${what}`);

/** Not a `URL`: a replica set has several hosts, each with a port. */
const mongodbUrl = z.string().superRefine((value, context) => {
  const fault = faultOfMongoAddress(value);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault, continue: false });
});

/** Not always a `URL`: sentinels are several hosts, each with a port. */
const redisUrl = z
  .string()
  .refine(
    (value) =>
      parseSentinelAddress(value) !== undefined ||
      (URL.canParse(value) && ['redis:', 'rediss:', 'redis-cluster:'].includes(new URL(value).protocol)),
    'must be a redis:// address, or redis-sentinel://<host>,<host>/<name of the master>',
  );

const httpUrl = url(['http:', 'https:'], 'an http:// or https:// address');

/** An account address that the gateway serves: accounts have hosts of their own, or paths on the common host. */
const isAccountUrl = (value: string): boolean =>
  /^https?:\/\/(\{account\}\.[^/?#@{}]+|[^?#@{}]+\/accounts\/\{account\})$/.test(value) &&
  URL.canParse(value.replace('{account}', 'account'));

const port = (fallback: number) =>
  z.coerce
    .number('must be a port number')
    .int('must be a port number')
    .min(0)
    .max(65_535)
    .default(fallback)
    .describe('Port to listen on');

/** A whole number of some unit, from 1. */
const numberOf = (unit: string) => {
  const rule = `must be a number of ${unit}`;
  return z.coerce.number(rule).int(rule).min(1, rule);
};

const key = z
  .string()
  .refine((value) => Buffer.from(value, 'base64').length === 32, 'must be 32 bytes in base64 (openssl rand -base64 32)')
  .transform((value) => Buffer.from(value, 'base64'));

const flag = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((value) => value === 'true')
  .default(false);

const keyRing = z
  .string()
  .transform((list) => list.split(','))
  .pipe(z.tuple([key], key));

/** A comma-separated list. */
export const commaList = (usual = '') =>
  z
    .string()
    .default(usual)
    .transform((text) =>
      text
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    );

/** Settings that several services share; each service's `config.ts` picks the ones it needs. */
export const settings = {
  port,
  numberOf,
  host: z.string().default('0.0.0.0').describe('Address to listen on'),
  logLevel: z
    .enum(['error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('Least severe log lines written'),
  opsPort: z.coerce
    .number('must be a port number')
    .int('must be a port number')
    .min(0)
    .max(65_535)
    .optional()
    .describe('Port of health and metrics, not for clients; without it there is none'),
  otlpEndpoint: httpUrl.optional().describe('Collector of traces (OTLP over HTTP); without it nothing is traced'),
  traceRatio: z.coerce
    .number('must be a number from 0 to 1')
    .min(0)
    .max(1)
    .default(1)
    .describe('Sampling ratio of traces that begin here, from 0 to 1'),
  mongodbUrl: mongodbUrl.describe('MongoDB database of this service'),
  amqpUrl: url(['amqp:', 'amqps:'], 'an amqp:// address').describe('RabbitMQ'),
  redisUrl: redisUrl
    .optional()
    .describe(
      'Redis for counters and revisions; `redis-cluster://` and one node for a cluster, `redis-sentinel://` and the sentinels for a master that they name, `rediss://` and `rediss-sentinel://` with TLS',
    ),
  httpUrl,
  baseUrl: httpUrl.transform((address) => address.replace(/\/+$/, '')).describe('Public origin of the platform'),
  accountUrl: z
    .string()
    .transform((address) => address.replace(/\/+$/, ''))
    .refine(isAccountUrl, 'must be https://{account}.<domain>, or <BASE_URL>/accounts/{account}')
    .describe(
      'Public address of an account; {account} is its id: `https://{account}.<domain>`, or `<BASE_URL>/accounts/{account}`',
    ),
  nodeIdDomain: z.string().default('service.example').describe('First part of every node id'),
  authJwksUrl: httpUrl.describe('Where auth publishes the keys that verify callers'),
  introspectionSecret: z
    .string()
    .refine((list) => list.split(',').every((secret) => secret.length >= 32), 'must have at least 32 characters')
    .describe(
      'Secret that the gateway sends to auth to introspect tokens; of several, comma-separated, it sends the first',
    ),
  consoleClientSecret: z
    .string()
    .refine((list) => list.split(',').every((secret) => secret.length >= 32), 'must have at least 32 characters')
    .optional()
    .describe(
      'Client secret of the console. Of several, separated by commas, auth accepts each and the console uses the first. Without it auth has no client `console`',
    ),
  deliveryKeys: keyRing.describe(
    'Keys that seal requested deliveries: 32 bytes in base64 each, comma-separated, the newest first',
  ),
  allowInsecureReceivers: flag.describe('Whether receivers may use http and loopback addresses; only for local work'),
  smtpUrl: url(['smtp:', 'smtps:'], 'an smtp:// or smtps:// address')
    .optional()
    .describe('Mail server, with credentials if it needs them; without it mails are stored and shown, not sent'),
  mailFrom: z
    .string()
    .regex(/^[^<>\r\n]*<?[^\s<>@]+@[\w.-]+>?$/, 'must be an e-mail address, with a name before it or without')
    .default('Service Management <service@localhost>')
    .describe('Sender of mails'),
  flag,
  keyRing,
} as const;

/** Settings of every deployed process; `defaultPort` is the port that it listens on by default. */
export const processSettings = (defaultPort: number) => ({
  PORT: settings.port(defaultPort),
  HOST: settings.host,
  LOG_LEVEL: settings.logLevel,
  OPS_PORT: settings.opsPort,
  OTLP_ENDPOINT: settings.otlpEndpoint,
  TRACE_RATIO: settings.traceRatio,
});

/** Settings of every service with a store and node ids. */
export const serviceSettings = (defaultPort: number) =>
  Object.assign(processSettings(defaultPort), {
    MONGODB_URL: settings.mongodbUrl,
    BASE_URL: settings.baseUrl,
    NODE_ID_DOMAIN: settings.nodeIdDomain,
  });

const host = /^(\[[\da-f:.]+\]|[^\s:[\]@]+)(:\d{1,5})?$/i;

/**
 * The reason why MongoDB's driver would refuse `value`; undefined when it is valid. Does not quote the value, which may
 * contain a password.
 */
function faultOfMongoAddress(value: string): string | undefined {
  if (!/^mongodb(\+srv)?:\/\//.test(value)) return 'must be a mongodb:// address';
  try {
    const { hosts, pathname } = new ConnectionString(value);
    // The driver would accept such a host name, and fail only when it connects.
    if (hosts.every((one) => host.test(one)) && !/[/@]/.test(pathname.slice(1))) return undefined;
  } catch {
    // Its message may contain the address.
  }
  return 'must be mongodb://user:password@host:port,host:port/database?options, or mongodb+srv://… with one host and no port; : / ? # @ and % in the user and the password are percent-encoded';
}
