import './code.css';
import type { ReactNode } from 'react';
import { duration } from './time';

/** The stages of a call in milliseconds; null for a stage that was not needed or not finished. */
export interface Timings {
  readonly dns: number | null;
  readonly connect: number | null;
  readonly tls: number | null;
  readonly firstByte: number | null;
  readonly total: number;
}

const stages = [
  ['dns', 'dns', 'DNS lookup'],
  ['connect', 'connect', 'TCP connection'],
  ['tls', 'tls', 'TLS handshake'],
  ['firstByte', 'wait', 'time to first byte'],
] as const;

/** The stages of a call as a bar, and below it in words. The whole width stands for `longest` milliseconds. */
export function TimeBar({
  timings,
  longest = timings.total,
}: {
  readonly timings: Timings;
  readonly longest?: number;
}): ReactNode {
  const known = stages.flatMap(([stage, name, meaning]) => {
    const milliseconds = timings[stage];
    return milliseconds === null ? [] : [{ name, meaning, milliseconds }];
  });
  const rest = Math.max(0, timings.total - known.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
  const isRestShown = rest >= 1 && rest > timings.total / 50;
  return (
    <div className="timing">
      <div className="time-bar" aria-hidden>
        {[...known, ...(isRestShown ? [{ name: 'rest', milliseconds: rest }] : [])].map(({ name, milliseconds }) => (
          <span key={name} className={`time-${name}`} style={{ width: share(milliseconds, longest) }} />
        ))}
      </div>
      <ul className="legend meta number" aria-label="Timing">
        {known.map(({ name, meaning, milliseconds }) => (
          <li key={name} title={meaning}>
            <span className={`time-key time-${name}`} aria-hidden />
            {name} {duration(milliseconds)}
          </li>
        ))}
        {isRestShown && (
          <li>
            <span className="time-key time-rest" aria-hidden />
            {known.length === 0 ? 'not connected' : 'rest'} {duration(rest)}
          </li>
        )}
      </ul>
    </div>
  );
}

const share = (part: number, whole: number): string => `${whole === 0 ? 0 : Math.min(100, (part / whole) * 100)}%`;
