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

/** What one process on one machine decides by itself: addresses of its parts, the database of each, its secrets, how it is watched. */
export const decidedHere: readonly string[] = [
  ...['BASE_URL', 'HOST', 'PORT', 'AUTH_JWKS_URL', 'AUTH_URL', 'GRAPH_URL', 'WEBHOOKS_URL', 'WEBHOOK_DELIVERY_URL'],
  ...['UI_EXTENSIONS_URL', 'CONSOLE_URL', 'GATEWAY_URL', 'MONGODB_URL', 'AMQP_URL', 'REDIS_URL'],
  ...['INTROSPECTION_SECRET', 'CONSOLE_CLIENT_SECRET', 'COOKIE_KEYS', 'SEALING_KEYS', 'DELIVERY_KEYS'],
  ...['LOG_LEVEL', 'OPS_PORT', 'OTLP_ENDPOINT', 'TRACE_RATIO'],
];

/** The settings that the services are given as they are. */
export const passedOn: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.values(serviceSettings)
    .flatMap((settings) => Object.entries(settings))
    .filter(([name]) => !decidedHere.includes(name))
    .sort(([one], [other]) => one.localeCompare(other)),
);
