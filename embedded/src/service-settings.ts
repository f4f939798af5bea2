import type { z } from 'zod';
import { settingsSchema as auth } from '@itsm/auth/config';
import { settingsSchema as consoleServer } from '@itsm/console/config';
import { settingsSchema as gateway } from '@itsm/gateway/config';
import { settingsSchema as graph } from '@itsm/graph/config';
import { settingsSchema as uiExtensions } from '@itsm/ui-extensions/config';
import { settingsSchema as delivery } from '@itsm/webhook-delivery/config';
import { settingsSchema as webhooks } from '@itsm/webhooks/config';

/** Every setting of every deployable. */
export const serviceSettings: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = {
  gateway: gateway.shape,
  auth: auth.shape,
  graph: graph.shape,
  webhooks: webhooks.shape,
  'webhook-delivery': delivery.shape,
  'ui-extensions': uiExtensions.shape,
  console: consoleServer.shape,
};

/** Settings of a service process that `npm start` reads for its one process. */
export const ofTheProcess = ['PORT', 'MONGODB_URL', 'LOG_LEVEL', 'OPS_PORT', 'OTLP_ENDPOINT', 'TRACE_RATIO'] as const;

const because = (reason: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, reason]));

const parts = ['AUTH', 'GRAPH', 'WEBHOOKS', 'WEBHOOK_DELIVERY', 'UI_EXTENSIONS', 'CONSOLE', 'GATEWAY'];

/** Settings that `npm start` fixes, each with the reason for its refusal. */
export const decidedHere: Readonly<Record<string, string>> = {
  ...because('it listens on loopback alone', ['HOST', 'HOSTS']),
  BASE_URL: 'it is at http://localhost and PORT',
  ...because('its parts find each other', ['AUTH_JWKS_URL', ...parts.map((part) => `${part}_URL`)]),
  ...because('it does this in the process', ['AMQP_URL', 'REDIS_URL']),
  ...because('it makes its secrets and keeps them in the folder DATA_DIR', [
    'INTROSPECTION_SECRET',
    'CONSOLE_CLIENT_SECRET',
    'COOKIE_KEYS',
    'SEALING_KEYS',
    'DELIVERY_KEYS',
  ]),
};

/** Settings that `npm start` passes on to the services unchanged. */
export const passedOn: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.values(serviceSettings)
    .flatMap((settings) => Object.entries(settings))
    .filter(([name]) => !(name in decidedHere) && !ofTheProcess.some((own) => own === name))
    .sort(([one], [other]) => one.localeCompare(other)),
);
