import { z } from 'zod';
import type { ConfigOf } from '@itsm/shared/base/config/parse-config';
import { configLoader } from '@itsm/shared/base/config/parse-config';
import { serviceSettings, settings } from '@itsm/shared/base/config/settings';

/** The environment that this service reads. */
export const settingsSchema = z.object({
  ...serviceSettings(4005),
  AMQP_URL: settings.amqpUrl,
  AUTH_JWKS_URL: settings.authJwksUrl,
});

export type Config = ConfigOf<typeof settingsSchema>;

/** Throws one `ConfigError` that names every bad or missing setting. */
export const loadConfig = configLoader(settingsSchema);
