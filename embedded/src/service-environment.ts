import { pathToFileURL } from 'node:url';
import type { Secrets } from './data/data-directory';

export interface LocalAddresses {
  readonly port: number;
  readonly secrets: Secrets;
  /** The folder of files of notes. */
  readonly attachments: string;
  /** Settings that are passed on to the services unchanged. */
  readonly settings: Environment;
}

export type Environment = Readonly<Record<string, string>>;

/** The settings of each deployable in the local mode. Names and validation are the same as when it runs alone. */
export function serviceEnvironment({ port, secrets, attachments, settings }: LocalAddresses) {
  const baseUrl = `http://localhost:${port}`;
  return (service: string, more: Environment = {}): Environment => ({
    HOST: '127.0.0.1',
    BASE_URL: baseUrl,
    ACCOUNT_URL: `${baseUrl}/accounts/{account}`,
    // Only the schemas require these two: the services get a connection and the in-process broker directly.
    MONGODB_URL: 'mongodb://in-process',
    AMQP_URL: 'amqp://in-process',
    INTROSPECTION_SECRET: secrets.introspectionSecret,
    CONSOLE_CLIENT_SECRET: secrets.consoleClientSecret,
    COOKIE_KEYS: secrets.cookieKey,
    SEALING_KEYS: secrets.sealingKey,
    DELIVERY_KEYS: secrets.deliveryKey,
    ATTACHMENTS: pathToFileURL(attachments).href,
    ALLOW_INSECURE_PROVIDERS: 'true',
    ALLOW_INSECURE_RECEIVERS: 'true',
    ...settings,
    ...more,
    ...(service === 'gateway' && { PORT: String(port) }),
  });
}
