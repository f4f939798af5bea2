// Receivers that answer with a delay and record arrival times; one of them may hang.
import { createServer } from 'node:http';
import { answer } from '../measure.mjs';

let arrivals = new Map();

/** Calls without a timely answer are retried, and excluded from measurements. */
const hangsMilliseconds = 10_000;

function note(id) {
  const seen = arrivals.get(id);
  if (seen) seen.calls += 1;
  else arrivals.set(id, { at: Date.now(), calls: 1 });
}

function serve(milliseconds) {
  const server = createServer((req, res) => {
    const id = req.headers['x-service-delivery'] ?? req.headers['x-outpost-event-id'];
    if (milliseconds < hangsMilliseconds) note(id);
    req.resume();
    setTimeout(() => res.end(), milliseconds);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${server.address().port}/hook`));
  });
}

answer({
  open: ({ delays }) => Promise.all(delays.map(serve)),
  count: () => arrivals.size,
  clear: () => arrivals.clear(),
  arrivals: () => [...arrivals].map(([id, { at, calls }]) => [id, at, calls]),
});
