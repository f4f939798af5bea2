import { z } from 'zod';
import type { ConfigOf } from '@itsm/shared/base/config/parse-config';
import { configLoader } from '@itsm/shared/base/config/parse-config';
import { serviceSettings, settings } from '@itsm/shared/base/config/settings';

/** The environment that this service reads. */
export const settingsSchema = z.object({
  ...serviceSettings(4001),
  AMQP_URL: settings.amqpUrl,
  REDIS_URL: settings.redisUrl,
  INTROSPECTION_SECRET: settings.introspectionSecret,
  CONSOLE_CLIENT_SECRET: settings.consoleClientSecret,
  SMTP_URL: settings.smtpUrl,
  MAIL_FROM: settings.mailFrom,
  REFRESH_GRACE_SECONDS: z.coerce
    .number('must be a whole number from 0 to 60')
    .int('must be a whole number from 0 to 60')
    .min(0, 'must be a whole number from 0 to 60')
    .max(60, 'must be a whole number from 0 to 60')
    .default(10)
    .describe('How long a replaced refresh token still gives the identical new pair, in seconds from 0 to 60'),
  REFRESH_FAMILY_DAYS: z.coerce
    .number('must be a whole number from 1 to 3650')
    .int('must be a whole number from 1 to 3650')
    .min(1, 'must be a whole number from 1 to 3650')
    .max(3650, 'must be a whole number from 1 to 3650')
    .default(365)
    .describe('How long an application can refresh its tokens before the person has to authorize it again, in days'),
  ALLOW_INSECURE_PROVIDERS: settings.flag.describe(
    'Whether identity providers and the JWK sets of applications may use http and loopback addresses; only for local work',
  ),
  SEALING_KEYS: settings.keyRing.describe(
    'Keys that seal private keys and secrets of authenticator apps at rest: 32 bytes in base64 each, comma-separated, the newest first',
  ),
});

export type Config = ConfigOf<typeof settingsSchema>;

/** Throws one `ConfigError` that names every bad or missing setting. */
export const loadConfig = configLoader(settingsSchema);
