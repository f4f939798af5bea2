import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { settingsSchema as auth } from '@itsm/auth/config';
import { settingsSchema as gateway } from '@itsm/gateway/config';
import { settingsSchema as graph } from '@itsm/graph/config';
import { settingsSchema as uiExtensions } from '@itsm/ui-extensions/config';
import { settingsSchema as delivery } from '@itsm/webhook-delivery/config';
import { settingsSchema as webhooks } from '@itsm/webhooks/config';
import { localSettingsSchema } from './config';

const schemas: Record<string, z.ZodObject> = {
  gateway,
  auth,
  graph,
  webhooks,
  'webhook-delivery': delivery,
  'ui-extensions': uiExtensions,
};
const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8');

const defaultOf = (setting: z.ZodType): string => {
  const absent = setting.safeParse(undefined);
  if (!absent.success) return 'required';
  if (absent.data === undefined || absent.data === '' || (Array.isArray(absent.data) && absent.data.length === 0))
    return 'none';
  return `\`${JSON.stringify(absent.data).replaceAll('"', '')}\``;
};

/** One row for each setting: who reads it, its default (per reader where they differ) and what it is. */
function rows(): string[] {
  const names = new Set(Object.values(schemas).flatMap((schema) => Object.keys(schema.shape)));
  return [...names].sort().map((name) => {
    const readers = Object.entries(schemas).filter(([, schema]) => name in schema.shape);
    const settings = readers.map(([, schema]) => schema.shape[name] as z.ZodType);
    const defaults = [...new Set(settings.map(defaultOf))];
    const who = readers.length === Object.keys(schemas).length ? 'all' : readers.map(([reader]) => reader).join(', ');
    return `| \`${name}\` | ${who} | ${defaults.join(', ')} | ${settings[0]?.description ?? ''} |`;
  });
}

test('the settings table of the README is the schemas, setting by setting', () => {
  const table = readme.split('\n').filter((line) => /^\| `[A-Z_]+` \|/.test(line));
  expect(table).toEqual(rows());
});

test('every setting has a description', () => {
  for (const [service, schema] of Object.entries(schemas)) {
    for (const [name, setting] of Object.entries(schema.shape)) {
      expect([service, name, (setting as z.ZodType).description]).toEqual([service, name, expect.any(String)]);
    }
  }
});

test('the local settings are named in the README', () => {
  for (const name of Object.keys(localSettingsSchema.shape)) expect(readme).toContain(`\`${name}\` (`);
});
