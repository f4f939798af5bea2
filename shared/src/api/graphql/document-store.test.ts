import { parse } from 'graphql';
import { createDocumentStore } from './document-store';

const documentOf = (fields: number) =>
  parse(`{ ${Array.from({ length: fields }, (_, index) => `field${index}`).join(' ')} }`, { noLocation: true });

test('keeps the most recently used documents, within the size limit', async () => {
  const store = createDocumentStore();
  await store.set('always', documentOf(10));
  for (let number = 0; number < 300; number += 1) {
    await store.set(`key${number}`, documentOf(1_000));
    await store.get('always');
  }
  const kept = await Promise.all(Array.from({ length: 300 }, (_, number) => store.get(`key${number}`)));
  expect(kept.filter(Boolean).length).toBeLessThan(100);
  expect(kept.at(-1)).toBeDefined();
  expect(await store.get('always')).toBeDefined();
});

test('keeps neither documents over the limit nor deleted ones', async () => {
  const store = createDocumentStore();
  await store.set('large', documentOf(20_000));
  await store.set('small', documentOf(1));
  await store.delete('small');
  expect([await store.get('large'), await store.get('small')]).toEqual([undefined, undefined]);
});
