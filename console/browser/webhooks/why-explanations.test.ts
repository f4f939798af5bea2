/// <reference types="jest" />
import type { Explanation } from './why-document';
import { explanationsOf, variablesOf } from './why-explanations';

const idsOf = (count: number): string[] => Array.from({ length: count }, (_each, index) => `event-${index}`);
const explanation = (eventId: string): Explanation => ({ eventId }) as Explanation;

test('one event uses one place, several use one place each', () => {
  expect(variablesOf('7', idsOf(1))).toMatchObject({ id: '7', several: false, e0: 'event-0' });
  const { id, several, ...places } = variablesOf('7', idsOf(10));
  expect([id, several, Object.values(places)]).toEqual(['7', true, idsOf(10)]);
  expect(new Set(Object.values(variablesOf('7', idsOf(3))))).toEqual(new Set(['7', true, ...idsOf(3)]));
});

test('answers are in the order of the events, without fillers', () => {
  const webhook = { e0: explanation('event-0'), e1: null, e2: explanation('event-2'), e3: explanation('event-0') };
  expect(explanationsOf(webhook, idsOf(3))).toEqual([webhook.e0, null, webhook.e2]);
  expect(explanationsOf(null, idsOf(2))).toEqual([null, null]);
});
