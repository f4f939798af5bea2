import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useDocument } from '../api/queries';
import { rest } from '../api/rest';
import { Button } from '../design/button';
import { Checkbox } from '../design/field';
import { formatNumber } from '../design/formats';
import { Panel } from '../design/panel';
import { useAccount } from '../frame/account';
import { useDebounced } from '../frame/debounced';
import { useDraft } from '../frame/draft';
import { Fetched } from '../frame/fetched';
import { useSubmitKey } from '../frame/submit-key';
import { recoverPreview } from './recover-document';
import { Examples } from './recover-examples';
import { RecoverProgress } from './recover-progress';
import { useRecovery } from './recovery';
import type { Kinds } from './recovery';

interface Counts {
  readonly unsuccessful: number;
  readonly skipped: number;
  readonly waiting: number;
}

const kinds = [
  { kind: 'unsuccessful', words: 'failed or stopped', note: 'Each is resent as a new delivery.' },
  { kind: 'waiting', words: 'waiting after a failure', note: 'Sending retries them at once.' },
  { kind: 'skipped', words: 'held back, never sent', note: 'While the webhook was unverified or disabled.' },
] as const;

const everyKind: Kinds = { unsuccessful: true, skipped: true, waiting: true };

/** What would be sent for a span, to be confirmed; then the progress. */
export function RecoverPlan({
  id,
  isActive,
  from,
  until,
}: {
  readonly id: string;
  readonly isActive: boolean;
  readonly from: Date;
  readonly until: Date;
}): ReactNode {
  const { account } = useAccount();
  const fromText = useDebounced(from.toISOString(), 400);
  const untilText = useDebounced(until.toISOString(), 400);
  const preview = useDocument(recoverPreview, { id, from: fromText, until: untilText }, account);
  const counts = useCounts(account, id, fromText, untilText);
  const { recovery, start, stop } = useRecovery(account, id);
  const [chosen, setChosen] = useDraft<Kinds>(`recover ${id}`, everyKind);
  const webhook = preview.data?.data.webhook;
  const found: Counts = {
    unsuccessful: counts.data?.unsuccessful ?? 0,
    waiting: counts.data?.waiting ?? 0,
    skipped: webhook?.skipped?.count ?? 0,
  };
  const examples = {
    unsuccessful: webhook?.unsuccessful?.nodes ?? [],
    waiting: webhook?.waiting?.nodes ?? [],
    skipped: (webhook?.skipped?.examples ?? []).map(({ deliveryId, objectId, skippedAt }) => ({
      deliveryId,
      objectId,
      event: null,
      createdAt: skippedAt,
    })),
  };
  const total = kinds.reduce((sum, { kind }) => sum + (chosen[kind] ? found[kind] : 0), 0);
  const isSettled =
    fromText === from.toISOString() && untilText === until.toISOString() && !preview.isFetching && !counts.isFetching;
  const mayStart = isActive && total > 0 && isSettled && recovery?.isRunning !== true;
  const go = (): void => void start(new Date(fromText), new Date(untilText), chosen, found.waiting);
  useSubmitKey(mayStart ? go : undefined);
  const choose = (kind: keyof Kinds, isChosen: boolean): void =>
    setChosen(Object.assign({}, chosen, { [kind]: isChosen }));

  return (
    <>
      <Panel title="Not delivered">
        <Fetched query={counts} rows={3}>
          {() => (
            <Fetched query={preview} rows={3}>
              {() =>
                found.unsuccessful + found.waiting + found.skipped === 0 ? (
                  <>
                    <p>
                      <strong>Nothing to send in this period.</strong>
                    </p>
                    <p className="muted">Deliveries that were already resent are not counted. Try a longer period.</p>
                  </>
                ) : (
                  <ul className="kinds">
                    {kinds
                      .filter(({ kind }) => found[kind] > 0)
                      .map(({ kind, words, note }) => (
                        <KindItem
                          key={kind}
                          words={words}
                          note={note}
                          count={found[kind]}
                          isChosen={chosen[kind]}
                          onChoose={(isChosen) => choose(kind, isChosen)}
                          examples={examples[kind]}
                        />
                      ))}
                  </ul>
                )
              }
            </Fetched>
          )}
        </Fetched>
        {(found.unsuccessful + found.waiting + found.skipped > 0 || recovery?.isRunning === true) && (
          <div className="form-actions">
            <Button kind="primary" onPress={go} isDisabled={!mayStart} isPending={recovery?.isRunning === true}>
              {total === 0 ? 'Send' : `Send ${formatNumber(total)}`}
            </Button>
            {recovery?.isRunning === true && <Button onPress={stop}>Stop</Button>}
            {total > 1_000 && <span className="meta">1,000 at a time; you can stop in between.</span>}
          </div>
        )}
      </Panel>
      {recovery && <RecoverProgress id={id} from={fromText} recovery={recovery} />}
    </>
  );
}

/** The number of deliveries that would be sent, by kind. */
function useCounts(account: string, webhookId: string, from: string, until: string) {
  const count = async (states: readonly string[], signal: AbortSignal): Promise<number> => {
    const body = { webhook_id: Number(webhookId), from, until, states, preview: true };
    const path = '/webhook_deliveries/redeliver';
    return (await rest<{ readonly count: number }>(account, path, { method: 'POST', body, isRead: true, signal }))
      .count;
  };
  return useQuery({
    queryKey: [account, 'recoverable', webhookId, from, until],
    queryFn: async ({ signal }) => {
      const [unsuccessful, waiting] = await Promise.all([
        count(['failed', 'stopped'], signal),
        count(['pending'], signal),
      ]);
      return { unsuccessful, waiting };
    },
    placeholderData: (former) => former,
  });
}

function KindItem({
  words,
  note,
  count,
  isChosen,
  onChoose,
  examples,
}: {
  readonly words: string;
  readonly note: string;
  readonly count: number;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
  readonly examples: Parameters<typeof Examples>[0]['examples'];
}): ReactNode {
  return (
    <li>
      <Checkbox isSelected={isChosen} onChange={onChoose} note={note}>
        <strong className="number">{formatNumber(count)}</strong> {words}
      </Checkbox>
      <Examples examples={examples} total={count} />
    </li>
  );
}
