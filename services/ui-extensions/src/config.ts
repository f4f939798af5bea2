import { z } from 'zod';
import type { ConfigOf } from '@itsm/shared/base/config/parse-config';
import { configLoader } from '@itsm/shared/base/config/parse-config';
import { processSettings, settings } from '@itsm/shared/base/config/settings';

/** The environment that this service reads. */
export const settingsSchema = z.object({
  ...processSettings(4005),
  MONGODB_URL: settings.mongodbUrl,
  AUTH_JWKS_URL: settings.authJwksUrl,
  BASE_URL: settings.baseUrl,
  NODE_ID_DOMAIN: settings.nodeIdDomain,
});

export type Config = ConfigOf<typeof settingsSchema>;

/** Throws one `ConfigError` that names every bad or missing setting. */
export const loadConfig = configLoader(settingsSchema);
