import { runMain } from './run-main';
import { connectMongo } from '../stores/mongo/connect-mongo';
import { reseal } from '../stores/reseal/reseal';
import type { KeyRing, Resealed, SealedPlace } from '../stores/reseal/reseal';
import { createSealer } from '../base/secrets/sealer';

interface Store {
  readonly mongodbUrl: string;
  readonly keys: KeyRing;
  readonly places: readonly SealedPlace[];
}

/**
 * `node dist/reseal.js`: re-encrypts the sealed texts of the service's store with the first key. Exits 1 while any
 * remain under another key.
 */
export function runReseal(load: () => Store): void {
  runMain(async () => {
    const { mongodbUrl, keys, places } = load();
    const say = (line: string) => void process.stdout.write(`${line}\n`);
    const connection = await connectMongo(mongodbUrl);
    try {
      const resealed = await reseal({ connection, keys, places, say });
      say(presentResealed(resealed, keys));
      process.exitCode = resealed.remaining.size === 0 ? 0 : 1;
    } finally {
      await connection.close();
    }
  });
}

/** The result in sentences, for the operator. */
export function presentResealed({ resealed, remaining }: Resealed, keys: KeyRing): string {
  const { keyIds } = createSealer(keys);
  const done = `Re-encrypted with the key ${keyIds[0]}: ${resealed}.`;
  if (remaining.size === 0) return `${done} Nothing is sealed with another key.`;
  const rest = [...remaining].map(
    ([id, count]) => `${count} with ${id}${keyIds.includes(id) ? '' : ', which is not in the key ring'}`,
  );
  return `${done} Still sealed with another key: ${rest.join('; ')}.`;
}
