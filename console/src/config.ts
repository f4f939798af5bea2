import { z } from 'zod';
import type { ConfigOf } from '@itsm/shared/base/config/parse-config';
import { configLoader } from '@itsm/shared/base/config/parse-config';
import { processSettings, settings } from '@itsm/shared/base/config/settings';

/** The settings of the console's server, from the environment. */
export const settingsSchema = z.object({
  ...processSettings(4006),
  BASE_URL: settings.baseUrl,
  GATEWAY_URL: settings.httpUrl.describe('Internal address of the gateway'),
  CONSOLE_CLIENT_SECRET: settings.consoleClientSecret
    .unwrap()
    .describe('Client secret of the console; of several, separated by commas, it uses the first'),
  COOKIE_KEYS: settings.keyRing.describe(
    'Keys that seal the cookies of the console: 32 bytes in base64 each, comma-separated, the newest first',
  ),
});

export type Config = ConfigOf<typeof settingsSchema>;

/** Throws one `ConfigError` that names all bad or missing settings. */
export const loadConfig = configLoader(settingsSchema);
