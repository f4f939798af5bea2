import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from 'node:zlib';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { startDemoPlatform } from '../../scripts/demo-platform.mjs';

const show = (text) => process.stdout.write(`${text}\n`);
const rounds = 5;
/** Of one round, in milliseconds. */
const roundTime = 200;

const fields = 'id number subject status category impact createdAt updatedAt requestedBy { id name } team { id name }';
const pageOf = (first) => `{ requests(first: ${first}) { totalCount nodes { ${fields} } } }`;

const brotli = (quality) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: 18 },
});
const through = (open) => async (body) => {
  let bytes = 0;
  const sink = new Writable({ write: (chunk, _, done) => void ((bytes += chunk.length), done()) });
  open().end(body).pipe(sink);
  await finished(sink);
  return { length: bytes };
};
const ways = {
  'gzip 1': (body) => gzipSync(body, { level: 1 }),
  'gzip 6': (body) => gzipSync(body, { level: 6 }),
  'brotli 1': (body) => brotliCompressSync(body, brotli(1)),
  'brotli 2': (body) => brotliCompressSync(body, brotli(2)),
  'brotli 4': (body) => brotliCompressSync(body, brotli(4)),
  'brotli 5': (body) => brotliCompressSync(body, brotli(5)),
  'gzip 1, stream': through(() => createGzip({ level: 1 })),
  'brotli 2, stream': through(() => createBrotliCompress(brotli(2))),
};

/** npm run bench -- compression: size and processor time of real answers, by coding and quality. */
export async function run() {
  const platform = await startDemoPlatform();
  const bodies = await bodiesOf(platform);
  await platform.stop();
  show('| Answer | Bytes | Way | Bytes, compressed | CPU µs | ns a byte saved |');
  show('|---|---:|---|---:|---:|---:|');
  for (const [name, body] of Object.entries(bodies))
    for (const [way, compress] of Object.entries(ways)) {
      const { length } = await compress(body);
      const time = await costOf(() => compress(body));
      const perByte = (time * 1_000) / (body.length - length);
      show(`| ${name} | ${body.length} | ${way} | ${length} | ${time.toFixed(0)} | ${perByte.toFixed(0)} |`);
    }
}

async function bodiesOf({ origin, administrator }) {
  const headers = { Authorization: `Bearer ${administrator.personal_access_token}`, 'X-Service-Account': 'wdc' };
  const take = async (path, options = {}) => {
    const answer = await fetch(origin + path, { ...options, headers: { ...headers, ...options.headers } });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return Buffer.from(await answer.arrayBuffer());
  };
  const ask = (query) =>
    take('/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query }),
    });
  return {
    'GraphQL, 2 records': await ask(pageOf(2)),
    'GraphQL, 4 records': await ask(pageOf(4)),
    'GraphQL, 20 records': await ask(pageOf(20)),
    'GraphQL, 100 records': await ask(pageOf(100)),
    'REST, 1 record': await take('/v1/requests/1'),
    'REST, 20 records': await take('/v1/requests?per_page=20'),
    'REST, 100 records': await take('/v1/requests?per_page=100'),
    'the schema': await take('/graphql', { headers: { Accept: 'text/plain' } }),
    'the schema, as JSON': await take('/graphql'),
  };
}

/** Processor time of the process in microseconds: the least of the rounds. */
async function costOf(work) {
  let least = Infinity;
  for (let round = 0; round < rounds; round += 1) {
    const [before, began] = [process.cpuUsage(), performance.now()];
    let times = 0;
    do {
      await work();
      times += 1;
    } while (performance.now() - began < roundTime);
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / times);
  }
  return least;
}
