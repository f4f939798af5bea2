import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordAction, RecordKind } from '@itsm/shared/contracts/record-kinds';
import { recordTypes } from './all';

const kinds: Readonly<Record<string, RecordKind>> = recordKinds;

test('the kinds of this service are the declared types, each under its own name', () => {
  const ofGraph = Object.entries(kinds).filter(([, { service }]) => service === 'graph');
  expect(recordTypes.map(({ name }) => name)).toEqual(ofGraph.map(([name]) => name));
});

describe.each(recordTypes.map((type) => [type.name, type] as const))('%s', (name, type) => {
  const { graphqlName, plural, events, statuses, assignable, customFields } = kinds[name] as RecordKind;
  const fieldNames = type.fields.map((field) => field.name);

  test('has the members of its row in the table of record kinds', () => {
    expect(type).toMatchObject({ graphqlName, plural, events });
  });

  test('allows the status of a test delivery, and the transition to it', () => {
    const choices = type.fields.flatMap((field) =>
      field.name === 'status' && 'choices' in field ? field.choices : [],
    );
    expect(choices).toEqual(expect.arrayContaining([...(statuses ?? [])]));
    expect(statuses !== undefined).toBe(choices.length > 0);
    const [now, before] = statuses ?? [];
    expect(now).toBe(statuses && (type.transitions?.[before ?? ''] ?? choices).find((status) => status === now));
    expect(statuses && now === before).not.toBe(true);
  });

  test('has the fields that its lists show', () => {
    expect(fieldNames).toEqual(expect.arrayContaining([...type.columns]));
  });

  test('can be assigned if the table says so', () => {
    for (const field of ['team', 'member']) expect([field, fieldNames.includes(field)]).toEqual([field, !!assignable]);
  });

  test('has custom fields if the table says so', () => {
    expect(type.fields.some(({ kind }) => kind === 'custom')).toBe(customFields === true);
  });

  test('has a source if its test deliveries have one', () => {
    expect(fieldNames).toEqual(expect.arrayContaining(['source', 'sourceID']));
  });

  test('can cause each of its events', () => {
    const needed: Readonly<Partial<Record<RecordAction, string>>> = {
      'status-changed': 'status',
      'team-changed': 'team',
      'member-changed': 'member',
      'manager-changed': 'manager',
    };
    const missing = events.filter((action) => needed[action] && !fieldNames.includes(needed[action]));
    expect(missing).toEqual([]);
    expect(events.includes('note-added')).toBe(type.hasNotes === true);
    expect(events.includes('status-changed')).toBe(statuses !== undefined);
  });
});
