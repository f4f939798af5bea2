import { z } from 'zod';
import type { ConfigOf } from '@itsm/shared/base/config/parse-config';
import { configLoader } from '@itsm/shared/base/config/parse-config';
import { commaList, serviceSettings, settings } from '@itsm/shared/base/config/settings';

/**
 * A prefix of a field name (RFC 9110 §5.6.2). It must start with a letter, and no standard header is such a prefix
 * followed by one of our names.
 */
const isHeaderPrefix = (text: string): boolean => /^[A-Za-z][\w!#$%&'*+.^`|~-]{0,62}[\w!#$%&'*+.^`|~]$/.test(text);

const areDistinct = (prefixes: readonly string[]): boolean =>
  new Set(['x-service', ...prefixes.map((prefix) => prefix.toLowerCase())]).size === prefixes.length + 1;

/** The environment that this service reads. */
export const settingsSchema = z.object({
  ...serviceSettings(4004),
  AMQP_URL: settings.amqpUrl,
  AUTH_JWKS_URL: settings.authJwksUrl,
  DELIVERY_KEYS: settings.deliveryKeys,
  ALLOW_INSECURE_RECEIVERS: settings.allowInsecureReceivers,
  DELIVERY_HEADER_ALIASES: commaList()
    .refine((prefixes) => prefixes.every(isHeaderPrefix), 'must be beginnings of header names such as X-Brand')
    .refine(areDistinct, 'must name each once, and not X-Service')
    .describe('Prefixes, such as X-Brand, under which deliveries repeat their X-Service headers, separated by commas'),
});

export type Config = ConfigOf<typeof settingsSchema>;

/** Throws one `ConfigError` that names every bad or missing setting. */
export const loadConfig = configLoader(settingsSchema);
