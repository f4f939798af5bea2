import { z } from 'zod';
import { readJsonFile } from '../data/data-directory';

const demoPerson = z.object({
  name: z.string(),
  email: z.string(),
  password: z.string(),
  personal_access_token: z.string(),
});
const demoAccount = z.object({
  administrator: demoPerson,
  specialist: demoPerson,
  end_user: demoPerson,
  application: z.object({ client_id: z.string(), client_secret: z.string(), redirect_uris: z.array(z.string()) }),
});

/** `demo.json`: the made-up people and credentials of a data folder, for scripts. Mode 0600. */
export const demoFileSchema = z.object({
  base_url: z.string(),
  auth_url: z.string(),
  graphql_url: z.string(),
  accounts: z.object({ wdc: demoAccount, acme: demoAccount }),
});
export type DemoFile = z.infer<typeof demoFileSchema>;
export type DemoAccount = z.infer<typeof demoAccount>;
export type DemoPerson = z.infer<typeof demoPerson>;

export const readDemoFile = (path: string): DemoFile => readJsonFile(demoFileSchema, path);
