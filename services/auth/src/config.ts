import { z } from 'zod';
import type { ConfigOf } from '@itsm/shared/base/config/parse-config';
import { configLoader } from '@itsm/shared/base/config/parse-config';
import { processSettings, settings } from '@itsm/shared/base/config/settings';

/** The environment that this service reads. */
export const settingsSchema = z.object({
  ...processSettings(4001),
  MONGODB_URL: settings.mongodbUrl,
  AMQP_URL: settings.amqpUrl,
  REDIS_URL: settings.redisUrl,
  BASE_URL: settings.baseUrl,
  NODE_ID_DOMAIN: settings.nodeIdDomain,
  INTROSPECTION_SECRET: settings.introspectionSecret,
  SMTP_URL: settings.smtpUrl,
  MAIL_FROM: settings.mailFrom,
  REFRESH_GRACE_SECONDS: z.coerce
    .number('must be a whole number from 0 to 60')
    .int('must be a whole number from 0 to 60')
    .min(0, 'must be a whole number from 0 to 60')
    .max(60, 'must be a whole number from 0 to 60')
    .default(10)
    .describe('How long a replaced refresh token still gives the identical new pair, in seconds from 0 to 60'),
  ALLOW_INSECURE_PROVIDERS: settings.flag.describe(
    'Whether identity providers may use http and loopback addresses; only for local work',
  ),
  SEALING_KEYS: settings.keyRing.describe(
    'Keys that seal private keys at rest: 32 bytes in base64 each, comma-separated, the newest first',
  ),
});

export type Config = ConfigOf<typeof settingsSchema>;

/** Throws one `ConfigError` that names every bad or missing setting. */
export const loadConfig = configLoader(settingsSchema);
