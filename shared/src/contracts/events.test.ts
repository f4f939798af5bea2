import { eventsTable } from '../testing/events-table';
import { generatedPart } from '../testing/generated-part';
import { isRecordEvent } from './events';
import { recordKinds } from './record-kinds';

test('docs/events.md lists the events of every record kind (UPDATE_DOCS=1 writes it)', () => {
  const table = eventsTable(recordKinds);
  expect(generatedPart('docs/events.md', 'events', table)).toBe(table);
});

test('webhook.verify cannot be chosen', () => {
  expect(isRecordEvent('webhook.verify')).toBe(false);
  expect(isRecordEvent('request.create')).toBe(true);
});
