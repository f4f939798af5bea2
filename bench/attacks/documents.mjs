// The gateway's document cache in isolation; needs --expose-gc.
import { createRequire } from 'node:module';
import { answer, heapInUse } from '../measure.mjs';

const load = createRequire(import.meta.url);
load('esbuild-register/dist/node').register({ target: 'node20' });
const { floods, floodSchema } = load('../../gateway/src/testing/floods.ts');
const { createDocuments } = load('../../gateway/dist/supergraph/documents.js');
const { buildSchema } = load('graphql');

/** Bytes of the heap for `count` distinct documents, each prepared twice. */
function growth({ name, count }) {
  const [, document] = floods.find(([known]) => known === name);
  const documents = createDocuments(buildSchema(floodSchema));
  documents(document(0), undefined);
  const before = heapInUse();
  for (let n = 1; n <= count; n += 1) for (let sight = 0; sight < 2; sight += 1) documents(document(n), undefined);
  const grown = heapInUse() - before;
  // Keeps the cache reachable until the measurement is done.
  documents(document(0), undefined);
  return grown;
}

answer({ names: () => floods.map(([name]) => name), growth });
