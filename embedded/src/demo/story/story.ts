import { of, tell } from './deeds';
import type { StoryDeed } from './deeds';
import { ofTheWeek, others, stillOpen } from './week';
import { wifi } from './wifi';

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
