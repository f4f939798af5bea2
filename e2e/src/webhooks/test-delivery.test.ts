import { recordEventNames } from '@itsm/shared/contracts/events';
import { recordKinds } from '@itsm/shared/contracts/record-kinds';
import type { RecordKind } from '@itsm/shared/contracts/record-kinds';
import { startPlatform } from '../oauth/testing/platform';
import type { Platform } from '../oauth/testing/platform';
import { administratorOf } from './testing/administrator';
import { startReceiver } from './testing/receiver';
import type { Receiver } from './testing/receiver';

let platform: Platform;
let receiver: Receiver;
let administrator: ReturnType<typeof administratorOf>;
beforeAll(async () => {
  platform = await startPlatform();
  receiver = await startReceiver();
  administrator = administratorOf(platform);
});
afterAll(async () => {
  receiver.close();
  await platform.stop();
  await platform.remove();
});

interface Written {
  readonly id: string;
}

/** Writes a record through GraphQL; each member of its input is a variable. */
async function write(mutation: string, input: object): Promise<string> {
  const type = mutation.replace(/(Create|Update)$/, '');
  const inputType = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input!`;
  const text = `mutation ($input: ${inputType}) { ${mutation}(input: $input) { ${type} { id } errors { message } } }`;
  const answer = await administrator.graphql<Record<string, Record<string, Written> & { errors: object[] }>>(text, {
    input,
  });
  const payload = answer[mutation];
  expect([mutation, payload?.errors]).toEqual([mutation, []]);
  return payload?.[type]?.id ?? '';
}

/** A UI extension whose form has the field `reason`, once records may refer to it. */
async function extensionWithField(): Promise<string> {
  const fields = [{ id: 'reason', type: 'text', label: 'Reason' }];
  const formDefinition = JSON.stringify({ sections: [{ name: 'Why', fields }] });
  const id = await write('uiExtensionCreate', { name: 'Form of every member', formDefinition, activate: true });
  const text = 'query ($id: ID!) { node(id: $id) { ... on UiExtension { unfitRecords } } }';
  // A number, once the form has reached the records.
  for (;;) {
    const { node } = await administrator.graphql<{ node: { unfitRecords: number | null } }>(text, { id });
    if (node.unfitRecords !== null) return id;
  }
}

let written = 0;
const sourced = () => ({ source: 'e2e', sourceID: String((written += 1)) });

/** The paths of all members, nested ones included. */
const membersOf = (value: unknown, path = ''): string[] =>
  typeof value !== 'object' || value === null
    ? [path]
    : Object.entries(value).flatMap(([name, member]) => membersOf(member, `${path}.${name}`));

/** Causes every event of every type, with records whose fields are all filled. */
async function causeEveryEvent(): Promise<void> {
  const ofForm = {
    uiExtensionId: await extensionWithField(),
    customFields: [{ id: 'reason', value: 'Of every member' }],
  };
  const person = (name: string) =>
    write('personCreate', {
      name,
      primaryEmail: `${name.toLowerCase()}@wdc.example`,
      roles: ['specialist'],
      ...sourced(),
    });
  const [first, second] = [await person('Grace'), await person('Alan')];
  await write('personUpdate', { id: first, name: 'Grace Hopper' });
  const team = (name: string) => write('teamCreate', { name, memberIds: [first, second], ...ofForm, ...sourced() });
  const [desk, field] = [await team('Desk of tests'), await team('Field of tests')];
  await write('teamUpdate', { id: desk, name: 'Desk' });
  const sla = await write('serviceLevelAgreementCreate', { name: 'Promise', managerId: first, ...sourced() });
  await write('serviceLevelAgreementUpdate', { id: sla, name: 'Promised' });

  const project = await write('projectCreate', { subject: 'Of tasks', managerId: first, ...sourced() });
  const isWork = ({ statuses }: RecordKind) => statuses !== undefined;
  for (const kind of Object.values<RecordKind>(recordKinds).filter(isWork)) {
    const { graphqlName, events, statuses, assignable, customFields } = kind;
    const type = graphqlName.charAt(0).toLowerCase() + graphqlName.slice(1);
    const hasManager = events.includes('manager-changed');
    const id = await write(`${type}Create`, {
      subject: 'Of every member',
      note: 'A note, which all events of its write have',
      ...(type === 'projectTask' && { projectId: project }),
      ...(assignable && { teamId: desk, memberId: first }),
      ...(hasManager && { managerId: first }),
      ...(customFields && ofForm),
      ...sourced(),
    });
    await write(`${type}Update`, {
      id,
      note: 'Another note',
      status: statuses?.[0],
      ...(assignable && { teamId: field, memberId: second }),
      ...(hasManager && { managerId: second }),
    });
  }
}

test('the test delivery of every event has exactly the members that the event has', async () => {
  const path = '/members';
  const webhooks = new Map<string, unknown>();
  for (const event of recordEventNames) {
    const { id } = await administrator.post('/v1/webhooks', { event, uri: receiver.uriOf(path) });
    webhooks.set(event, id);
    if (webhooks.size > 1) continue;
    const { body } = await receiver.next(path);
    const { callback } = body['payload'] as { callback: string };
    expect((await fetch(callback, { method: 'POST' })).status).toBe(200);
  }
  await causeEveryEvent();
  const real = new Map<unknown, object>();
  while (real.size < recordEventNames.length) {
    const { body } = await receiver.next(path);
    real.set(body['event'], body);
  }
  for (const [event, id] of webhooks) {
    const sample = receiver.uriOf(`/test-${String(id)}`);
    // At a separate URL, so that no real event interferes.
    await administrator.patch(`/v1/webhooks/${String(id)}`, { uri: sample });
    await receiver.next(new URL(sample).pathname);
    await administrator.post(`/v1/webhooks/${String(id)}/test`, {}, 204);
    const { body } = await receiver.next(new URL(sample).pathname);
    expect([event, membersOf(body)]).toEqual([event, membersOf(real.get(event))]);
  }
});
