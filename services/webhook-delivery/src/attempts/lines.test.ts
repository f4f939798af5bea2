import { destinationOf, lineOf } from '../deliveries/delivery';
import { createLines } from './lines';

const destination = destinationOf({ accountId: 'wdc', host: 'receiver.example:443' });
const line = lineOf('first', destination);

/** As the scheduler does: a delivery that comes during the query leaves the line as it is. */
function serve(lines: ReturnType<typeof createLines>, toEnd: boolean, meanwhile = () => {}) {
  const notes = lines.notes(line);
  lines.servedToEnd(line, toEnd);
  meanwhile();
  if (toEnd) lines.correct(line, undefined, notes);
}

test('what comes waits behind a line that was not served yet, or not to its end', () => {
  const lines = createLines();
  expect(lines.isBehind(destination, 10)).toBe(false);
  lines.note(line, 5);
  expect(lines.isBehind(destination, 4)).toBe(false);
  expect(lines.isBehind(destination, 10)).toBe(true);
  serve(lines, false);
  expect(lines.isBehind(destination, 10)).toBe(true);
});

test('once a line was served to its end nothing waits behind it, however much comes all the time', () => {
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

test('a line of which the store says that something is due is not served to its end, whatever was thought', () => {
  const lines = createLines();
  lines.note(line, 5);
  lines.servedToEnd(line, true);
  lines.correct(line, 7, lines.notes(line));
  expect(lines.isBehind(destination, 10)).toBe(true);
});
