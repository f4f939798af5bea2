import { randomBytes } from 'node:crypto';
import { createSealer } from './sealer';

const [oldKey, newKey, otherKey] = [randomBytes(32), randomBytes(32), randomBytes(32)];

test('a sealed text opens in its context only', () => {
  const sealer = createSealer([oldKey]);
  const sealed = sealer.seal('https://user:secret@host', 'webhook:1');
  expect(sealed).not.toContain('secret');
  expect(sealer.open(sealed, 'webhook:1')).toBe('https://user:secret@host');
  expect(() => sealer.open(sealed, 'webhook:2')).toThrow();
});

test('binary data is opened unchanged', () => {
  const sealer = createSealer([oldKey]);
  const bytes = randomBytes(300);
  expect(sealer.openBytes(sealer.seal(bytes, 'x'), 'x')).toEqual(bytes);
  expect(() => sealer.openBytes(sealer.seal(bytes, 'x'), 'y')).toThrow();
});

test('a ring seals with its first key and opens with any', () => {
  const sealed = createSealer([oldKey]).seal('text', 'x');
  const ring = createSealer([newKey, oldKey]);
  expect(ring.open(sealed, 'x')).toBe('text');
  expect(createSealer([newKey]).open(ring.seal('again', 'x'), 'x')).toBe('again');
  expect(() => createSealer([otherKey]).open(sealed, 'x')).toThrow('not in the key ring');
});

test('a changed or truncated text is refused', () => {
  const sealer = createSealer([oldKey]);
  const sealed = sealer.seal('text', 'x');
  expect(() => sealer.open(`${sealed.slice(0, -2)}AA`, 'x')).toThrow();
  expect(() => sealer.open(sealed.slice(0, 12), 'x')).toThrow();
  expect(() => sealer.open('', 'x')).toThrow();
});
