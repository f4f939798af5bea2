import './signing.css';
import type { ReactNode } from 'react';
import { Badge } from '../design/badge';
import type { Tone } from '../design/badge';
import { formatMoment } from '../design/formats';
import { Time, useNow } from '../design/time';
import type { Policy, PolicyKey } from './documents';
import { keyState, rotatesAt, shortKid, waitingKey } from './keys';
import type { KeyState } from './keys';

const minute = 60_000;

/** The displayed span: the hours around a rotation, or else the life of the only key. */
function windowOf(policy: Policy, now: Date): { readonly from: number; readonly until: number } {
  const at = now.getTime();
  const changes = policy.keys.flatMap(({ signsFrom, publishedUntil }, index) => [
    ...(index > 0 ? [new Date(signsFrom).getTime()] : []),
    ...(publishedUntil === null ? [] : [new Date(publishedUntil).getTime()]),
  ]);
  if (changes.length > 0)
    return { from: Math.min(at, ...changes) - 30 * minute, until: Math.max(at, ...changes) + 30 * minute };
  const from = Math.min(...policy.keys.map(({ signsFrom }) => new Date(signsFrom).getTime()));
  const next = rotatesAt(policy)?.getTime() ?? 0;
  const until = Math.max(next, at + Math.max((at - from) / 4, 60 * minute));
  return { from: from - (until - from) / 40, until };
}

const states: Readonly<Record<KeyState, { readonly tone: Tone; readonly word: string }>> = {
  waiting: { tone: 'info', word: 'Waiting' },
  signing: { tone: 'good', word: 'Signing' },
  retiring: { tone: 'quiet', word: 'Still published' },
  gone: { tone: 'quiet', word: 'Expired' },
};

/** When each key signs and how long it stays published, with a marker for now. */
export function KeyTimeline({ policy }: { readonly policy: Policy }): ReactNode {
  const now = useNow(30_000);
  const { from, until } = windowOf(policy, now);
  const place = (moment: number): number => (Math.min(Math.max(moment, from), until) - from) / ((until - from) / 100);
  const here = place(now.getTime());
  const next = rotatesAt(policy);
  const waits = waitingKey(policy.keys, now) !== undefined;
  return (
    <div className="key-timeline">
      <ol>
        {policy.keys.map((key) => (
          <KeyRow key={key.kid} keys={policy.keys} item={key} now={now} place={place} end={until} />
        ))}
      </ol>
      <div className="timeline-axis" aria-hidden>
        <span>{here > 24 && axisWord(from, until)}</span>
        <span className="timeline-now-word" style={{ left: `${Math.min(Math.max(here, 3), 97)}%` }}>
          now
        </span>
        <span>{here < 76 && axisWord(until, from)}</span>
      </div>
      <p className="timeline-key meta" aria-hidden>
        <span className="is-signing">signing</span>
        <span>published</span>
      </p>
      <p className="meta">
        {waits && 'A new key is already waiting. You can rotate again once it signs. '}
        {next && (
          <>
            The next key is created <Time at={next.toISOString()} /> and signs an hour later.
          </>
        )}
        {!next && !waits && 'Rotated only on request. A new key signs an hour later.'}
      </p>
    </div>
  );
}

const axisWord = (moment: number, other: number): string =>
  formatMoment(moment, Math.abs(moment - other) < 2 * 86_400_000 ? 'time' : 'shortDay');

function KeyRow({
  keys,
  item,
  now,
  place,
  end,
}: {
  readonly keys: readonly PolicyKey[];
  readonly item: PolicyKey;
  readonly now: Date;
  readonly place: (moment: number) => number;
  readonly end: number;
}): ReactNode {
  const state = keyState(keys, item, now);
  const successor = keys[keys.indexOf(item) + 1];
  const signs = new Date(item.signsFrom).getTime();
  const signsUntil = successor ? new Date(successor.signsFrom).getTime() : end;
  const published = item.publishedUntil === null ? end : new Date(item.publishedUntil).getTime();
  // A successor is published when it is created: an hour and a minute before it signs.
  const publishedFrom = keys.indexOf(item) === 0 ? signs : signs - 61 * minute;
  const bar = (begin: number, finish: number) => ({
    left: `${place(begin)}%`,
    width: `${place(finish) - place(begin)}%`,
  });
  return (
    <li className="timeline-row">
      <div className="row">
        <code title={item.kid}>{shortKid(item.kid)}</code>
        <Badge tone={states[state].tone}>{states[state].word}</Badge>
        <span className="meta">
          {state === 'waiting' ? 'signs ' : 'started signing '}
          <Time at={item.signsFrom} />
          {item.publishedUntil !== null && (
            <>
              {', published until '}
              <Time at={item.publishedUntil} />
            </>
          )}
        </span>
      </div>
      <div className="timeline-track" aria-hidden>
        <span className="timeline-published" style={bar(publishedFrom, published)} />
        <span className="timeline-signs" style={bar(signs, signsUntil)} />
        <span className="timeline-now" style={{ left: `${place(now.getTime())}%` }} />
      </div>
    </li>
  );
}
