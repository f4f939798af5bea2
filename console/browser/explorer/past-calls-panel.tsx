import type { ReactNode } from 'react';
import { Button } from '../design/button';
import { Empty } from '../design/panel';
import { Time, duration } from '../design/time';
import type { PastCall } from './past-calls';
import { titleOf } from './question';
import type { Draft } from './question';

/** The latest calls with their cost; each opens in a new tab. */
export function PastCallsPanel({
  calls,
  onOpen,
  onClear,
}: {
  readonly calls: readonly PastCall[];
  readonly onOpen: (draft: Draft) => void;
  readonly onClear: () => void;
}): ReactNode {
  if (calls.length === 0) return <Empty title="Your calls appear here." />;
  return (
    <div className="side-list">
      <ul>
        {calls.map((call) => (
          <li key={call.at}>
            <button type="button" className="side-item" onClick={() => onOpen(call)}>
              <strong>{titleOf(call)}</strong>
              <small className="number">
                <Time at={call.at} /> · {call.hasErrors ? 'errors' : (call.status ?? 'no response')} ·{' '}
                {duration(call.milliseconds)}
                {call.cost !== undefined && ` · ${call.cost === 1 ? '1 point' : `${call.cost} points`}`}
              </small>
            </button>
          </li>
        ))}
      </ul>
      <p className="row spread">
        <span className="meta">The last 30, stored in this browser without responses.</span>
        <Button onPress={onClear}>Clear history</Button>
      </p>
    </div>
  );
}
