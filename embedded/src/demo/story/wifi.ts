import { desk, network, of, tell } from './deeds';

/** Five people report the same Wi-Fi; its cause becomes a problem, and the cure a workflow. */
export const wifi = [
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
