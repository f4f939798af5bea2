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
  /** Further people of the story, with what they are. */
  others: z.array(demoPerson.extend({ position: z.string() })).optional(),
  application,
});
/** Has the people of its directory account, with the same passwords and tokens. */
const demoBranch = z.object({ directory_account: z.literal('wdc'), application });

/** `demo.json`: the demo people of a data folder with their credentials, for scripts. Mode 0600. */
export const demoFileSchema = z.object({
  base_url: z.string(),
  auth_url: z.string(),
  graphql_url: z.string(),
  // The prefix of the databases that hold these people; absent if they are in the embedded store.
  databases: z.string().optional(),
  /** The port at which the webhooks of the story are received, and whether its end is there. */
  story: z.object({ receiver_port: z.int(), isComplete: z.boolean() }).optional(),
  accounts: z.object({ wdc: demoAccount, acme: demoAccount, 'wdc-labs': demoBranch }),
});
export type DemoFile = z.infer<typeof demoFileSchema>;
export type DemoAccount = z.infer<typeof demoAccount>;
export type DemoBranch = z.infer<typeof demoBranch>;
export type DemoPerson = z.infer<typeof demoPerson>;

export const readDemoFile = (path: string): DemoFile => readJsonFile(demoFileSchema, path);
