import type { Secrets } from './data/data-directory';

export interface LocalAddresses {
  readonly port: number;
  readonly secrets: Secrets;
  /** What the services are given as it is. */
  readonly settings: Environment;
}

type Environment = Readonly<Record<string, string>>;

/** The settings each deployable gets in the local mode: the same names and the same checks as when it runs alone. */
export function serviceEnvironment({ port, secrets, settings }: LocalAddresses) {
  const baseUrl = `http://localhost:${port}`;
  return (service: string, more: Environment = {}): Environment => ({
    HOST: '127.0.0.1',
    BASE_URL: baseUrl,
    ACCOUNT_URL: `${baseUrl}/accounts/{account}`,
    // Required by the schemas. The service is given its connection, and the in-process broker.
    MONGODB_URL: 'mongodb://in-process',
    AMQP_URL: 'amqp://in-process',
    INTROSPECTION_SECRET: secrets.introspectionSecret,
    CONSOLE_CLIENT_SECRET: secrets.consoleClientSecret,
    COOKIE_KEYS: secrets.cookieKey,
    SEALING_KEYS: secrets.sealingKey,
    DELIVERY_KEYS: secrets.deliveryKey,
    ALLOW_INSECURE_PROVIDERS: 'true',
    ALLOW_INSECURE_RECEIVERS: 'true',
    ...settings,
    ...more,
    ...(service === 'gateway' && { PORT: String(port) }),
  });
}
