import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecordEvent, recordEventNames } from './events';

test('docs/events.md lists every event and no other', () => {
  const text = readFileSync(join(__dirname, '../../../docs/events.md'), 'utf8');
  const table = text.split('\n').filter((line) => line.startsWith('| '));
  const listed = [...table.join('\n').matchAll(/`(\w+\.[\w-]+)`/g)].map(([, name]) => name);
  expect(listed).toEqual([...recordEventNames]);
});

test('webhook.verify cannot be chosen', () => {
  expect(isRecordEvent('webhook.verify')).toBe(false);
  expect(isRecordEvent('request.create')).toBe(true);
});
