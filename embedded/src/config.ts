import { resolve } from 'node:path';
import { z } from 'zod';
import { parseConfig } from '@itsm/shared/config/parse-config';
import { settings } from '@itsm/shared/config/settings';

export const localSettingsSchema = z.object({
  PORT: settings
    .port(4000)
    .refine((port) => port > 0, 'must be a port number')
    .describe('Port of the gateway'),
  DATA_DIR: z.string().default('.data').describe('Folder that keeps the data'),
  LOG_LEVEL: settings.logLevel,
  SMTP_URL: settings.smtpUrl,
  MAIL_FROM: settings.mailFrom,
});

/** The local mode has few settings; everything else is decided or made up. */
export interface LocalConfig {
  readonly port: number;
  readonly dataDirectory: string;
  readonly logLevel: z.output<typeof settings.logLevel>;
  /** What the services that send mails are told. */
  readonly mail: Readonly<Record<string, string>>;
}

/** `folder`: what a relative `DATA_DIR` starts from. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>, folder: string): LocalConfig {
  const { PORT, DATA_DIR, LOG_LEVEL, SMTP_URL, MAIL_FROM } = parseConfig(localSettingsSchema, env);
  const mail = { MAIL_FROM, ...(SMTP_URL !== undefined && { SMTP_URL }) };
  return { port: PORT, dataDirectory: resolve(folder, DATA_DIR), logLevel: LOG_LEVEL, mail };
}
