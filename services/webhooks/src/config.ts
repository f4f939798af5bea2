import { z } from 'zod';
import type { ConfigOf } from '@itsm/shared/base/config/parse-config';
import { configLoader } from '@itsm/shared/base/config/parse-config';
import { processSettings, settings } from '@itsm/shared/base/config/settings';

/** The environment that this service reads. */
export const settingsSchema = z.object({
  ...processSettings(4003),
  MONGODB_URL: settings.mongodbUrl,
  AMQP_URL: settings.amqpUrl,
  AUTH_JWKS_URL: settings.authJwksUrl,
  BASE_URL: settings.baseUrl,
  ACCOUNT_URL: settings.accountUrl,
  NODE_ID_DOMAIN: settings.nodeIdDomain,
  DELIVERY_KEYS: settings.deliveryKeys,
  ALLOW_INSECURE_RECEIVERS: settings.allowInsecureReceivers,
  SMTP_URL: settings.smtpUrl,
  MAIL_FROM: settings.mailFrom,
});

export type Config = ConfigOf<typeof settingsSchema>;

/** Throws one `ConfigError` that names every bad or missing setting. */
export const loadConfig = configLoader(settingsSchema);
