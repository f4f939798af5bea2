import type { RecordKinds } from '../contracts/record-kinds';
import { markdownTable } from './generated-part';

/** The table of events by kind of record, for docs/events.md. */
export const eventsTable = (kinds: RecordKinds): string =>
  markdownTable([
    ['Record', 'Events'],
    ...Object.entries(kinds).map(([name, { events }]) => [
      name,
      events.map((action) => `\`${name}.${action}\``).join(', '),
    ]),
  ]);
