import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useDocument } from '../api/queries';
import { Badge } from '../design/badge';
import { formatNumber } from '../design/formats';
import { Banner, Panel } from '../design/panel';
import { useAccount } from '../frame/account';
import { recoverCounts } from './recover-document';
import type { Recovery } from './recovery';

/** How many were requested, have succeeded and are waiting, until none is in flight. */
export function RecoverProgress({
  id,
  from,
  recovery,
}: {
  readonly id: string;
  readonly from: string;
  readonly recovery: Recovery;
}): ReactNode {
  const { account } = useAccount();
  const query = useDocument(recoverCounts, { id, from }, account, {
    pollEvery: (known) => {
      if (recovery.isRunning || Date.now() - recovery.startedAt < 60_000) return 2_000;
      return (known?.webhook?.pending?.totalCount ?? 0) > 0 ? 15_000 : false;
    },
  });
  const webhook = query.data?.data.webhook;
  const pending = webhook?.pending?.totalCount ?? 0;
  const delivered = webhook?.delivered?.totalCount ?? recovery.deliveredBefore;
  // Clamped, since other calls succeed as well.
  const arrived = Math.min(recovery.asked, Math.max(0, delivered - recovery.deliveredBefore));
  const { asked, refused, isRunning, waits, isStopped, failed } = recovery;
  // There is no progress to show, and nothing in the log.
  if (failed !== undefined && asked === 0 && refused.length === 0)
    return (
      <Banner tone="bad" title="Nothing was sent.">
        <p>{failed}</p>
      </Banner>
    );
  const sent = failed !== undefined && asked === 0 ? 'Not sent' : 'Sent';
  return (
    <Panel title={isRunning ? 'Sending' : sent} actions={<Stage recovery={recovery} arrived={arrived} />}>
      {failed !== undefined && (
        <Banner tone="bad" title={asked === 0 ? 'Nothing was sent.' : 'Not everything was sent.'}>
          <p>
            {failed}
            {asked > 0 && ' What was requested before is still sent. Send again for the rest.'}
          </p>
        </Banner>
      )}
      <progress className="recovered" max={Math.max(1, asked)} value={arrived} aria-label="Delivered" />
      <p role="status" className="number">
        {formatNumber(asked)} requested, {formatNumber(arrived)} delivered
        {pending > 0 && `, ${formatNumber(pending)} waiting for an attempt`}.
      </p>
      {waits !== undefined && <p role="status">{waits} It continues automatically.</p>}
      {isStopped === true && <p>Stopped. What was requested is still sent.</p>}
      {refused.length > 0 && (
        <details>
          <summary>{formatNumber(refused.length)} refused</summary>
          <ul>
            {refused.slice(0, 50).map(({ id: delivery, message }) => (
              <li key={delivery}>
                <Link to="/accounts/$account/deliveries/$delivery" params={{ account, delivery }}>
                  {delivery}
                </Link>
                : {message}.
              </li>
            ))}
          </ul>
        </details>
      )}
      <p>
        <Link to="/accounts/$account/deliveries" params={{ account }} search={{ webhook: id, since: from }}>
          Show in the log
        </Link>
      </p>
    </Panel>
  );
}

/** The progress in a word. */
function Stage({
  recovery: { asked, isRunning, failed },
  arrived,
}: {
  readonly recovery: Recovery;
  readonly arrived: number;
}): ReactNode {
  if (failed !== undefined) return <Badge tone="bad">Failed</Badge>;
  if (isRunning) return <Badge tone="info">Requesting</Badge>;
  return arrived >= asked ? <Badge tone="good">Done</Badge> : <Badge tone="info">In progress</Badge>;
}
