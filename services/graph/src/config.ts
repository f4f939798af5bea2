import { z } from 'zod';
import type { ConfigOf } from '@itsm/shared/base/config/parse-config';
import { configLoader } from '@itsm/shared/base/config/parse-config';
import { serviceSettings, settings } from '@itsm/shared/base/config/settings';

/** The settings of this service, from the environment. */
export const settingsSchema = z.object({
  ...serviceSettings(4002),
  AMQP_URL: settings.amqpUrl,
  AUTH_JWKS_URL: settings.authJwksUrl,
  IMPORT_MAX_BYTES: settings.numberOf('bytes').default(100_000_000).describe('Largest CSV file of an import, in bytes'),
});

export type Config = ConfigOf<typeof settingsSchema>;

/** Throws one `ConfigError` that names all bad or missing settings. */
export const loadConfig = configLoader(settingsSchema);
