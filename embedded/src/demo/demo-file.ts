import { z } from 'zod';
import { readJsonFile } from '../data/data-directory';

const demoPerson = z.object({
  name: z.string(),
  email: z.string(),
  password: z.string(),
  personal_access_token: z.string(),
});
const application = z.object({ client_id: z.string(), client_secret: z.string(), redirect_uris: z.array(z.string()) });
const demoAccount = z.object({
  administrator: demoPerson,
  specialist: demoPerson,
  end_user: demoPerson,
  application,
});
/** Its people are those of the directory account, with the same passwords and tokens. */
const demoBranch = z.object({ directory_account: z.literal('wdc'), application });

/** `demo.json`: the made-up people and credentials of a data folder, for scripts. Mode 0600. */
export const demoFileSchema = z.object({
  base_url: z.string(),
  auth_url: z.string(),
  graphql_url: z.string(),
  // The prefix of the databases that know these people; without it the embedded store does.
  databases: z.string().optional(),
  // A data folder of an earlier release has no branch until it is opened again.
  accounts: z.object({ wdc: demoAccount, acme: demoAccount, 'wdc-labs': demoBranch.optional() }),
});
export type DemoFile = z.infer<typeof demoFileSchema>;
export type DemoAccount = z.infer<typeof demoAccount>;
export type DemoBranch = z.infer<typeof demoBranch>;
export type DemoPerson = z.infer<typeof demoPerson>;

export const readDemoFile = (path: string): DemoFile => readJsonFile(demoFileSchema, path);
