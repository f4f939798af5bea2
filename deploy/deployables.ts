import { settingsSchema as auth } from '@itsm/auth/config';
import { settingsSchema as consoleServer } from '@itsm/console/config';
import { settingsSchema as gateway } from '@itsm/gateway/config';
import { settingsSchema as graph } from '@itsm/graph/config';
import { ConfigError, parseConfig } from '@itsm/shared/base/config/parse-config';
import { settingsSchema as uiExtensions } from '@itsm/ui-extensions/config';
import { settingsSchema as delivery } from '@itsm/webhook-delivery/config';
import { settingsSchema as webhooks } from '@itsm/webhooks/config';

const schemas = {
  gateway,
  auth,
  graph,
  webhooks,
  'webhook-delivery': delivery,
  'ui-extensions': uiExtensions,
  console: consoleServer,
};

export type Deployable = keyof typeof schemas;
export const deployables = Object.keys(schemas) as Deployable[];

/** Read by Node.js itself, not by a service. */
const ofNode = ['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];
const key = Buffer.alloc(32).toString('base64');

/** Sample values of the settings that are read from mounted files. */
const secretValues: Readonly<Record<string, string>> = {
  MONGODB_URL: 'mongodb://user:secret@store.example/database',
  AMQP_URL: 'amqps://user:secret@broker.example',
  REDIS_URL: 'rediss://user:secret@redis.example',
  SMTP_URL: 'smtps://user:secret@mail.example',
  INTROSPECTION_SECRET: 's'.repeat(32),
  CONSOLE_CLIENT_SECRET: 's'.repeat(32),
  COOKIE_KEYS: `${key},${key}`,
  SEALING_KEYS: key,
  DELIVERY_KEYS: `${key},${key}`,
};

/**
 * The errors that the service would report for `environment` when it starts, and the settings that it does not read.
 * For `<NAME>_FILE` the sample value of that setting is used.
 */
export function problemsWith(service: Deployable, environment: Readonly<Record<string, string>>): string[] {
  const schema = schemas[service];
  const given = Object.entries(environment).filter(([name]) => !ofNode.includes(name));
  const read = given.map(([name, value]) => {
    const secret = name.replace(/_FILE$/, '');
    return secret === name ? [name, value] : [secret, secretValues[secret]];
  }) as [string, string][];
  const unknown = read
    .filter(([name]) => !(name in schema.shape))
    .map(([name]) => `${name}: ${service} does not read it`);
  try {
    parseConfig(schema, Object.fromEntries(read));
    return unknown;
  } catch (error) {
    if (error instanceof ConfigError) return [...unknown, error.message];
    throw error;
  }
}

/** Whether the service reads the setting. */
export const reads = (service: Deployable, setting: string): boolean => setting in schemas[service].shape;

/** The services that read the setting. */
export const readersOf = (setting: string): Deployable[] => deployables.filter((service) => reads(service, setting));

/** The port that the service listens on by default. */
export const portOf = (service: Deployable): number => schemas[service].shape.PORT.parse(undefined);

/** Every setting that the service reads. */
export const settingsOf = (service: Deployable): string[] => Object.keys(schemas[service].shape);
