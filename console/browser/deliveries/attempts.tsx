import type { ReactNode } from 'react';
import { Badge } from '../design/badge';
import { formatMoment } from '../design/formats';
import { Panel } from '../design/panel';
import { duration } from '../design/time';
import { TimeBar } from '../design/time-bar';
import { NextAttempt, answerOf, isUnderWay } from '../parts/delivery-row';
import type { Attempt, Delivery } from './document';
import { errorTexts } from './texts';

/** The attempts, with their stages drawn in proportion to the longest one, and the next step. */
export function Attempts({ delivery }: { readonly delivery: Delivery }): ReactNode {
  const { attempts, state, nextAttemptAt } = delivery;
  const longest = Math.max(0, ...attempts.map(({ milliseconds }) => milliseconds?.total ?? 0));
  return (
    <Panel title="Attempts" isFlush>
      <ol className="attempts">
        {attempts.map((attempt) => (
          <AttemptItem key={attempt.attempt} attempt={attempt} longest={longest} />
        ))}
        {state === 'pending' && (
          <li className="attempt muted">
            <div className="attempt-head">
              <span className="attempt-name">Attempt {attempts.length + 1}</span>
              {isUnderWay(delivery) || nextAttemptAt === null ? (
                'in progress'
              ) : (
                <span>
                  <NextAttempt at={nextAttemptAt} />, at {exactTime(nextAttemptAt)}
                </span>
              )}
            </div>
          </li>
        )}
        {attempts.length === 0 && state !== 'pending' && <li className="attempt muted">No attempt was made.</li>}
      </ol>
    </Panel>
  );
}

function AttemptItem({ attempt, longest }: { readonly attempt: Attempt; readonly longest: number }): ReactNode {
  const { attempt: number, at, outcome, error, errorClass, fault, milliseconds } = attempt;
  const isDelivered = outcome === 'delivered';
  return (
    <li className="attempt">
      <div className="attempt-head">
        <span className="attempt-name">Attempt {number}</span>
        <time dateTime={at} className="meta number" title={formatMoment(at, 'exact')}>
          {exactTime(at)}
        </time>
        <Badge tone={isDelivered ? 'good' : 'bad'}>{answerOf({ attempts: [attempt] }) ?? outcome}</Badge>
        {fault === 'ours' && <Badge tone="info">Our fault, not the receiver’s</Badge>}
        {milliseconds && <span className="attempt-total number">{duration(milliseconds.total)}</span>}
      </div>
      {milliseconds && <TimeBar timings={milliseconds} longest={longest} />}
      {!isDelivered && <p>{sentenceOf(error, errorClass)}</p>}
    </li>
  );
}

/** The platform's message, else the meaning of the error class. */
function sentenceOf(error: string | null, errorClass: string | null): string {
  if (error !== null) return error.endsWith('.') ? error : `${error}.`;
  return errorTexts[errorClass ?? '']?.sentence ?? 'The attempt failed.';
}

/** "11:57:19", with the day unless it is today. */
function exactTime(at: string): string {
  const isToday = formatMoment(at, 'day') === formatMoment(new Date(), 'day');
  return formatMoment(at, isToday ? 'timeWithSeconds' : 'moment');
}
