import type { GraphApp } from '@itsm/graph/app';
import type { Role } from '@itsm/shared/contracts/directory';

/** The further people of the story. */
export const storyPeople = {
  mia: { name: 'Mia Okafor', position: 'specialist, leads Network Operations', roles: ['specialist'] },
  sam: { name: 'Sam Ortiz', position: 'auditor', roles: ['auditor'] },
  tom: { name: 'Tom Reyes', position: 'end user, reads Dutch', roles: ['end_user'], locale: 'nl-NL' },
} as const satisfies Readonly<Record<string, StoryRole>>;

interface StoryRole {
  readonly name: string;
  readonly position: string;
  readonly roles: readonly Role[];
  readonly locale?: string;
}

/** Ellen, Howard and Grace are the administrator, the specialist and the end user of the account. */
export type StoryPerson = 'ellen' | 'howard' | 'grace' | keyof typeof storyPeople;

/** Stands for the number of a person, a record or the UI extension of the story. */
export interface Ref {
  readonly ref: string;
}
const of = (ref: string): Ref => ({ ref });

/** A step of a record's past, with the numbers of what it names. */
export type Deed = Parameters<GraphApp['seed']['ensureDeed']>[1];

type Type = Deed['type'];
type StoryValue = Deed['values'][string] | Ref | readonly Ref[];

/** What somebody did to a record, some hours before the first start. The first of a record creates it. */
export interface StoryDeed {
  readonly record: string;
  readonly type: Type;
  readonly hoursAgo: number;
  readonly by: StoryPerson;
  readonly set?: Readonly<Record<string, StoryValue>>;
  readonly reply?: string;
  readonly internal?: string;
  readonly step?: string;
}

type Told = Omit<StoryDeed, 'record' | 'type'>;
const tell = (type: Type, record: string, ...told: readonly Told[]): readonly StoryDeed[] =>
  told.map((one) => ({ ...one, type, record }));

const network = of('network');
const desk = of('desk');

/** Five people report the same Wi-Fi; its cause becomes a problem, and the cure a workflow. */
const wifi = [
  ...tell(
    'request',
    'wifi-b',
    {
      hoursAgo: 150,
      by: 'grace',
      set: { subject: 'Wi-Fi drops every ten minutes in meeting room B', impact: 'medium' },
    },
    { hoursAgo: 149, by: 'howard', set: { team: network, member: of('mia'), status: 'assigned', priority: 'high' } },
    {
      hoursAgo: 148,
      by: 'mia',
      set: { status: 'in_progress' },
      reply: 'I have put a second access point on the table of room B for now. Does it get better?',
    },
    { hoursAgo: 126, by: 'grace', reply: 'Better in the morning, but after lunch it drops again.' },
    {
      hoursAgo: 122,
      by: 'mia',
      set: { problem: of('firmware'), status: 'waiting_for' },
      internal: 'All five rooms have the same access points with firmware 8.2. See the problem.',
    },
  ),
  ...tell(
    'request',
    'wifi-lobby',
    { hoursAgo: 143, by: 'tom', set: { subject: 'No Wi-Fi in the lobby after noon', impact: 'low' } },
    { hoursAgo: 142, by: 'howard', set: { team: network, member: of('mia'), status: 'assigned' } },
    {
      hoursAgo: 121,
      by: 'mia',
      set: { problem: of('firmware'), status: 'waiting_for' },
      reply: 'It has the same cause as in the meeting rooms. We are on it.',
    },
  ),
  ...tell(
    'request',
    'wifi-call',
    { hoursAgo: 140, by: 'grace', set: { subject: 'Video calls freeze in meeting room B', impact: 'high' } },
    { hoursAgo: 139, by: 'howard', set: { team: network, status: 'assigned' } },
    { hoursAgo: 121, by: 'mia', set: { member: of('mia'), problem: of('firmware'), status: 'waiting_for' } },
  ),
  ...tell(
    'request',
    'wifi-scanner',
    { hoursAgo: 131, by: 'tom', set: { subject: 'Scanners of the warehouse lose the network', impact: 'high' } },
    { hoursAgo: 130, by: 'howard', set: { team: network, status: 'assigned', priority: 'top' } },
    { hoursAgo: 120, by: 'mia', set: { member: of('mia'), problem: of('firmware'), status: 'waiting_for' } },
  ),
  ...tell(
    'request',
    'wifi-guest',
    { hoursAgo: 127, by: 'grace', set: { subject: 'Guests cannot stay connected to the guest Wi-Fi' } },
    {
      hoursAgo: 120,
      by: 'mia',
      set: { team: network, member: of('mia'), problem: of('firmware'), status: 'waiting_for' },
    },
  ),
  ...tell(
    'problem',
    'firmware',
    {
      hoursAgo: 124,
      by: 'mia',
      set: {
        subject: 'Access points restart with firmware 8.2',
        impact: 'high',
        team: network,
        member: of('mia'),
        manager: of('mia'),
      },
    },
    {
      hoursAgo: 119,
      by: 'mia',
      set: { status: 'analyzed', knownError: true, workaround: 'Restart the access point of the room in the morning.' },
      internal: 'The log shows a restart each time the memory is full.',
    },
    { hoursAgo: 98, by: 'mia', set: { workflow: of('replace'), status: 'workflow_pending' } },
  ),
  ...tell(
    'workflow',
    'replace',
    {
      hoursAgo: 100,
      by: 'mia',
      set: {
        subject: 'Replace the access points of floors 2 and 3',
        category: 'non_standard',
        impact: 'medium',
        manager: of('mia'),
      },
    },
    { hoursAgo: 97, by: 'mia', set: { status: 'in_progress' } },
  ),
  ...tell(
    'task',
    'order-points',
    {
      hoursAgo: 99,
      by: 'mia',
      set: { subject: 'Order eight access points', workflow: of('replace'), team: network, member: of('mia') },
    },
    { hoursAgo: 74, by: 'mia', set: { status: 'completed' }, internal: 'They arrive on Thursday.' },
  ),
  ...tell(
    'task',
    'approve-window',
    {
      hoursAgo: 99,
      by: 'mia',
      set: {
        subject: 'Approve the evening of the change',
        category: 'approval',
        workflow: of('replace'),
        team: desk,
        member: of('ellen'),
      },
    },
    { hoursAgo: 70, by: 'ellen', set: { status: 'approved' } },
  ),
  ...tell(
    'task',
    'mount-points',
    { hoursAgo: 98, by: 'mia', set: { subject: 'Mount and connect them', workflow: of('replace'), team: network } },
    {
      hoursAgo: 26,
      by: 'mia',
      set: { member: of('howard'), status: 'in_progress' },
      internal: 'Floor 2 is done, floor 3 is next.',
    },
  ),
  ...tell('task', 'measure-points', {
    hoursAgo: 98,
    by: 'mia',
    set: { subject: 'Measure the Wi-Fi of each room', workflow: of('replace'), team: network },
  }),
];

/** A laptop, by the form of the UI extension; what was solved badly and is open again; what waits for Grace. */
const others = [
  ...tell(
    'request',
    'laptop',
    {
      hoursAgo: 95,
      by: 'tom',
      set: {
        subject: 'A laptop for the colleague who starts on Monday',
        category: 'order',
        uiExtension: of('laptop-form'),
        customFields: [
          { id: 'model', value: '16 inch' },
          { id: 'why', value: 'She draws plans of buildings.' },
          { id: 'dock', value: true },
        ],
      },
    },
    {
      hoursAgo: 93,
      by: 'howard',
      set: { team: desk, member: of('howard'), status: 'in_progress' },
      reply: 'Ordered. It is here on Friday.',
    },
  ),
  ...tell(
    'request',
    'printer',
    { hoursAgo: 118, by: 'grace', set: { subject: 'Cannot connect to the printer on floor 3', impact: 'medium' } },
    { hoursAgo: 117, by: 'howard', set: { team: desk, member: of('howard'), status: 'in_progress' } },
    {
      hoursAgo: 116,
      by: 'howard',
      set: { status: 'completed', completionReason: 'solved' },
      reply: 'The driver was old. Please try again.',
    },
    { hoursAgo: 92, by: 'grace', step: 'dissatisfied', reply: 'It prints once, and then not again.' },
    { hoursAgo: 91, by: 'grace', step: 'reopen', reply: 'Today it did not print at all.' },
    { hoursAgo: 90, by: 'howard', set: { status: 'accepted' } },
  ),
  ...tell(
    'request',
    'share',
    { hoursAgo: 73, by: 'grace', set: { subject: 'Please give me access to the finance share', category: 'rfc' } },
    {
      hoursAgo: 71,
      by: 'howard',
      set: { team: desk, member: of('howard'), status: 'waiting_for_customer' },
      reply: 'Is it for reading alone, or do you change files there?',
    },
  ),
  ...tell('request', 'disk', {
    hoursAgo: 20,
    by: 'howard',
    set: { subject: 'Disk of the build server is almost full', impact: 'high', priority: 'high', team: network },
  }),
];

const solvedWith = (reply: string): Omit<Told, 'hoursAgo' | 'by'> => ({
  set: { status: 'completed', completionReason: 'solved' },
  reply,
});

/** A plain request: somebody takes it over within the hour, and solves it later. */
function solved(
  record: string,
  hoursAgo: number,
  who: StoryPerson,
  subject: string,
  by: 'howard' | 'mia',
  reply: string,
) {
  const taken = { team: by === 'mia' ? network : desk, member: of(by), status: 'accepted' };
  return tell(
    'request',
    record,
    { hoursAgo, by: who, set: { subject } },
    { hoursAgo: hoursAgo - 1, by, set: taken },
    { hoursAgo: hoursAgo - 3, by, ...solvedWith(reply) },
  );
}

const ofTheWeek = [
  ...solved(
    'password',
    160,
    'tom',
    'Password for the time sheet tool has expired',
    'howard',
    'You can choose a new one with the link that I sent.',
  ),
  ...solved(
    'calendar',
    146,
    'grace',
    'How do I share a calendar with another team?',
    'howard',
    'Open its settings, then “Share”, and type the name of the team.',
  ),
  ...solved('screen', 136, 'tom', 'Second screen stays dark', 'howard', 'The cable was loose.'),
  ...solved(
    'badge',
    115,
    'tom',
    'The badge does not open the garage any more',
    'howard',
    'It had ended with last month. It opens again.',
  ),
  ...solved('vpn', 110, 'grace', 'VPN asks for the code twice', 'mia', 'Update the client to 5.1, then it asks once.'),
  ...solved(
    'phone',
    96,
    'tom',
    'The phone of the reception does not ring',
    'mia',
    'It was redirected to a number that is gone.',
  ),
  ...solved('keyboard', 88, 'grace', 'Keyboard types twice', 'howard', 'A new one is on your desk.'),
  ...solved('mailbox', 76, 'tom', 'Mailbox for the new project', 'howard', 'It is there: north@widgets.example.'),
  ...solved(
    'projector',
    69,
    'grace',
    'The projector of room C shows a blue picture',
    'howard',
    'Its lamp was replaced.',
  ),
  ...solved(
    'slow-wiki',
    64,
    'tom',
    'The wiki is slow in the morning',
    'mia',
    'The backup ran too late. It runs at night now.',
  ),
  ...solved(
    'update',
    52,
    'grace',
    'Laptop does not start after the update',
    'howard',
    'The update was taken back on your laptop.',
  ),
  ...solved('badge-new', 49, 'tom', 'Badge for a visitor on Thursday', 'howard', 'It is at the reception.'),
];

/** A plain request that is still open: new, or with somebody. */
function open(
  record: string,
  hoursAgo: number,
  who: StoryPerson,
  subject: string,
  set: StoryDeed['set'] = {},
  by: 'howard' | 'mia' = 'howard',
) {
  const told: Told = { hoursAgo, by: who, set: { subject } };
  return Object.keys(set).length === 0
    ? tell('request', record, told)
    : tell('request', record, told, { hoursAgo: hoursAgo - 0.5, by, set: { status: 'assigned', ...set } });
}

const stillOpen = [
  ...open('invoice', 60, 'grace', 'The invoice export stops at 80 percent', {
    team: desk,
    member: of('howard'),
    status: 'in_progress',
    priority: 'high',
  }),
  ...open('starter', 47, 'tom', 'New starter on Monday needs a desk and a phone', {
    team: desk,
    member: of('howard'),
    status: 'accepted',
  }),
  ...open('coffee', 45, 'tom', 'The coffee machine shows an error', { team: desk }),
  ...open('calls', 44, 'grace', 'Calls break off when the lift passes', { team: network }),
  ...open('time', 42, 'tom', 'The calendar shows meetings an hour late', { team: desk }),
  ...open('empty-pages', 28, 'grace', 'The printer on floor 1 prints empty pages', {
    team: desk,
    member: of('howard'),
  }),
  ...open('camera', 25, 'tom', 'The camera of room A does not turn', { team: desk }),
  ...open('certificate', 23, 'howard', 'Certificate of the intranet ends in three weeks', {
    team: network,
    priority: 'medium',
  }),
  ...open('phone-line', 22, 'tom', 'Noise on the line of the hotline', {
    team: network,
    member: of('mia'),
    status: 'accepted',
  }),
  ...open('headset', 21, 'grace', 'A headset for working at home', { team: desk }),
  ...open('licence', 6, 'tom', 'Licence for the drawing program'),
  ...open('backup', 5, 'howard', 'Backup of the wiki took nine hours', { team: network, priority: 'medium' }),
  ...open('monitor', 4, 'grace', 'A monitor arm for desk 214'),
  ...open('sign-in', 3, 'tom', 'Signing in at the time sheet takes a minute', { team: desk }),
  ...open('keys', 2, 'grace', 'Lost the key of locker 12'),
];

const teams = [
  ...tell('team', 'desk', {
    hoursAgo: 168,
    by: 'ellen',
    set: { name: 'Service Desk', manager: of('howard'), members: [of('howard'), of('ellen')] },
  }),
  ...tell('team', 'network', {
    hoursAgo: 168,
    by: 'ellen',
    set: { name: 'Network Operations', manager: of('mia'), members: [of('mia'), of('howard')] },
  }),
];

/** A week of a small service desk, in the order in which it happened. */
export const story: readonly StoryDeed[] = [...teams, ...wifi, ...others, ...ofTheWeek, ...stillOpen].sort(
  (one, other) => other.hoursAgo - one.hoursAgo,
);

/** The form by which Tom ordered the laptop, as the last version of the demo's UI extension has it. */
export const laptopForm = JSON.stringify({
  sections: [
    {
      name: 'The laptop',
      fields: [
        { id: 'model', type: 'radio', label: 'Model', required: true, options: ['14 inch', '16 inch'] },
        {
          id: 'why',
          type: 'textarea',
          label: 'Why a large one?',
          required: true,
          visible_when: { field: 'model', equals: '16 inch' },
        },
        { id: 'dock', type: 'checkbox', label: 'With a dock' },
      ],
    },
  ],
});
