import { z } from 'zod';
import type { ConfigOf } from '@itsm/shared/base/config/parse-config';
import { configLoader } from '@itsm/shared/base/config/parse-config';
import { serviceSettings, settings } from '@itsm/shared/base/config/settings';

/** The environment that this service reads. */
export const settingsSchema = z.object({
  ...serviceSettings(4003),
  AMQP_URL: settings.amqpUrl,
  AUTH_JWKS_URL: settings.authJwksUrl,
  ACCOUNT_URL: settings.accountUrl,
  DELIVERY_KEYS: settings.deliveryKeys,
  DELIVERIES_PER_SECOND: settings
    .numberOf('deliveries')
    .default(1_000)
    .describe('Deliveries a second, in one process, that the events of an account make; twice as many may go at once'),
  ALLOW_INSECURE_RECEIVERS: settings.allowInsecureReceivers,
  SMTP_URL: settings.smtpUrl,
  MAIL_FROM: settings.mailFrom,
});

export type Config = ConfigOf<typeof settingsSchema>;

/** Throws one `ConfigError` that names every bad or missing setting. */
export const loadConfig = configLoader(settingsSchema);
