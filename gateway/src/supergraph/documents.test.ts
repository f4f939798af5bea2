import { buildSchema } from 'graphql';
import { floods, floodSchema } from '../testing/floods';
import { createDocuments } from './documents';

const schema = buildSchema(floodSchema);

/** How many of `count` distinct documents, each sent twice, are still cached. The cache must keep the latest ones. */
function keptOf(count: number, document: (n: number) => string): number {
  const documents = createDocuments(schema);
  const ask = (n: number) => documents(document(n), undefined);
  const prepared = Array.from({ length: count }, (_, n) => {
    ask(n);
    return ask(n);
  });
  // Newest first: preparing an evicted document again evicts only those that were checked before.
  return prepared.map((_, n) => count - 1 - n).filter((n) => ask(n) === prepared[n]).length;
}

const floodOf = (name: string) => floods.find(([known]) => known === name)?.[1] ?? (() => '{ nothing }');

// Their heap use is measured by `npm run bench -- attacks`.
test.each([
  ['with many list items', 20, 14, floodOf('list items')],
  ['with many response keys', 50, 40, floodOf('response keys')],
  ['that are refused', 5_000, 3_400, (n: number) => `{ nothing${n} }`],
])('of distinct documents %s, %i do not all stay cached, but %i at most', (_what, count, most, document) => {
  const kept = keptOf(count, document);
  expect(kept).toBeLessThanOrEqual(most);
  // A lower bound: a cache that keeps hardly anything would also pass the upper one.
  expect(kept).toBeGreaterThan(most / 2);
});

test('a repeated document is parsed once', () => {
  const documents = createDocuments(schema);
  const [, second, third] = [1, 2, 3].map(() => documents('{ me { id } }', undefined));
  expect(third).toBe(second);
});

test('a flood of refused documents does not evict accepted ones', () => {
  const documents = createDocuments(schema);
  const ask = () => documents('{ me { id } }', undefined);
  const [, known] = [ask(), ask()];
  const filling = '# '.padEnd(200_000, 'x');
  for (let n = 0; n < 200; n += 1) documents(`{ nothing${n} } ${filling}`, undefined);
  expect(ask()).toBe(known);
});

test('each operation of a document is cached separately', () => {
  const documents = createDocuments(schema);
  const text = 'query A { me { id } } query B { me { name } }';
  const names = ['A', 'B', 'A', 'B', 'A', 'B'].map((name) => {
    const prepared = documents(text, name);
    return prepared.kind === 'valid' ? prepared.node.name?.value : undefined;
  });
  expect(names).toEqual(['A', 'B', 'A', 'B', 'A', 'B']);
});
