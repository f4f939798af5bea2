import { z } from 'zod';
import type { ConfigOf } from '@itsm/shared/base/config/parse-config';
import { configLoader } from '@itsm/shared/base/config/parse-config';
import { commaList, serviceSettings, settings } from '@itsm/shared/base/config/settings';
import { isStorageAddress } from './attachments/attachment-storage';
import { usualMaxBytes, usualQuotaBytes } from './attachments/module';

/** The settings of this service, from the environment. */
export const settingsSchema = z.object({
  ...serviceSettings(4002),
  AMQP_URL: settings.amqpUrl,
  AUTH_JWKS_URL: settings.authJwksUrl,
  SMTP_URL: settings.smtpUrl.describe(
    'Mail server, with credentials if it needs them; without it nobody is mailed about notices',
  ),
  MAIL_FROM: settings.mailFrom,
  IMPORT_MAX_BYTES: settings.numberOf('bytes').default(100_000_000).describe('Largest CSV file of an import, in bytes'),
  ATTACHMENTS: z
    .string()
    .refine(isStorageAddress, 'must be file:///folder, or s3://key:secret@bucket/prefix?region=…&endpoint=…')
    .optional()
    .describe(
      'Where the files of notes are: `file:///folder`, which all processes of the service share, or `s3://key:secret@bucket/prefix?region=…&endpoint=…`; without it notes take no files',
    ),
  ATTACHMENT_MAX_BYTES: settings
    .numberOf('bytes')
    .max(500_000_000, 'must be a number of bytes up to 500000000')
    .default(usualMaxBytes)
    .describe('Largest file of a note, in bytes'),
  ATTACHMENT_QUOTA_BYTES: settings
    .numberOf('bytes')
    .default(usualQuotaBytes)
    .describe('Bytes that all files of an account may have'),
  ATTACHMENT_EXTENSIONS: commaList()
    .transform((list) => list.map((extension) => extension.toLowerCase().replace(/^\./, '')))
    .describe('Extensions of files that notes take, comma-separated; every file by default'),
  ATTACHMENT_SCAN: z
    .string()
    .optional()
    .describe(
      'Command that gets each uploaded file as its input and ends with 0 for a clean one, 1 for another; none by default',
    ),
});

export type Config = ConfigOf<typeof settingsSchema>;

/** Throws one `ConfigError` that names all bad or missing settings. */
export const loadConfig = configLoader(settingsSchema);
