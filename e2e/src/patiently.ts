import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

interface Answered {
  readonly status: number;
  readonly headers: Headers | IncomingHttpHeaders;
}

const retryAfter = ({ headers }: Answered): number =>
  Number(headers instanceof Headers ? headers.get('retry-after') : headers['retry-after']);

/**
 * Sends a call again as long as the caller's rate limit window is full, as a client does; a refused call had no effect.
 * How many calls a journey has sent in the last two seconds depends on the speed of the machine. So each call with a
 * token goes through it, unless the limit is its subject.
 */
export async function patiently<Answer extends Answered>(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 429) return answer;
    await pause(retryAfter(answer) * 1_000);
  }
}
