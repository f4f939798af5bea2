// The number of messages that a service in this process has taken from each queue.
import { createRequire } from 'node:module';

const { messagesHandled } = createRequire(import.meta.url)('../shared/dist/observing/metrics/metrics.js');

export async function handled() {
  const { values } = await messagesHandled.get();
  const counts = {};
  for (const { labels, value } of values) counts[labels.queue] = (counts[labels.queue] ?? 0) + value;
  return counts;
}
