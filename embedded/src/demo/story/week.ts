import { desk, network, of, tell } from './deeds';
import type { StoryDeed, StoryPerson, Told } from './deeds';

/** A laptop, by the form of the UI extension; what was solved badly and is open again; what waits for Grace. */
export const others = [
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

export const ofTheWeek = [
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

export const stillOpen = [
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
