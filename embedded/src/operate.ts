import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { runMain } from '@itsm/shared/running/run-main';
import type { z } from 'zod';
import { loadPlace } from './config';
import { openDataDirectory, readJsonFile } from './data/data-directory';
import { doorSchema } from './operator/operator-door';
import type { orderSchema } from './operator/operator-door';

/** Like `dist/operate.js` of a deployed auth, but the platform that `npm start` runs executes the command. */
runMain(async () => {
  const { dataDirectory } = loadPlace(process.env, dirname(dirname(__dirname)));
  const { operatorFile } = openDataDirectory(dataDirectory);
  const order: z.infer<typeof orderSchema> = {
    arguments: process.argv.slice(2),
    personPassword: process.env['PERSON_PASSWORD'],
  };
  const door = existsSync(operatorFile) ? readJsonFile(doorSchema, operatorFile) : undefined;
  const init = { method: 'POST', headers: { Authorization: `Bearer ${door?.secret}` }, body: JSON.stringify(order) };
  const answer = door && (await fetch(door.url, init).catch(() => undefined));
  if (!answer) throw new Error(`the platform of ${dataDirectory} does not run. Start it with npm start.`);
  const words = await answer.text();
  if (!answer.ok) throw new Error(words);
  process.stdout.write(`${words}\n`);
}, 'Not done');
