import { destinationOf, lineOf } from '../deliveries/delivery';
import { createLines } from './lines';

const destination = destinationOf({ accountId: 'wdc', host: 'receiver.example:443' });
const line = lineOf('first', destination);

/** Serves a line as the scheduler does. `meanwhile` runs during the query, as a concurrent arrival. */
function serve(lines: ReturnType<typeof createLines>, toEnd: boolean, meanwhile = () => {}) {
  const notes = lines.notes(line);
  lines.servedToEnd(line, toEnd);
  meanwhile();
  if (toEnd) lines.correct(line, undefined, notes);
}

test('new deliveries wait behind a line that was not served yet, or not drained', () => {
  const lines = createLines();
  expect(lines.isBehind(destination, 10)).toBe(false);
  lines.note(line, 5);
  expect(lines.isBehind(destination, 4)).toBe(false);
  expect(lines.isBehind(destination, 10)).toBe(true);
  serve(lines, false);
  expect(lines.isBehind(destination, 10)).toBe(true);
});

test('behind a drained line nothing waits, however much arrives', () => {
  const lines = createLines();
  lines.note(line, 5);
  for (let turn = 0; turn < 3; turn += 1) {
    serve(lines, true, () => lines.note(line, 6));
    expect(lines.isDue(destination, 10)).toBe(true);
    expect(lines.isBehind(destination, 10)).toBe(false);
  }
  serve(lines, false);
  expect(lines.isBehind(destination, 10)).toBe(true);
  serve(lines, true);
  expect(lines.isDue(destination, 10)).toBe(false);
});

test('a line in which the store finds due work is not drained, whatever was recorded before', () => {
  const lines = createLines();
  lines.note(line, 5);
  lines.servedToEnd(line, true);
  lines.correct(line, 7, lines.notes(line));
  expect(lines.isBehind(destination, 10)).toBe(true);
});

test('a line is due at its very time, for the round as for what asks whether it is', () => {
  const lines = createLines();
  lines.note(line, 5);
  const isDueAt = (now: number) => [lines.isDue(destination, now), lines.due('first', now).includes(line)];
  expect([isDueAt(4), isDueAt(5)]).toEqual([
    [false, false],
    [true, true],
  ]);
});

test('what the store found before something arrived changes nothing', () => {
  const lines = createLines();
  lines.note(line, 5);
  const notes = lines.notes(line);
  lines.note(line, 6);
  lines.correct(line, undefined, notes);
  expect(lines.earliest()).toBe(5);
  lines.correct(line, undefined, lines.notes(line));
  expect(lines.earliest()).toBeUndefined();
});
