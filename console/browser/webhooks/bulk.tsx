import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { explain } from '../api/errors';
import { run } from '../api/graphql';
import { patiently } from '../api/patiently';
import { Button } from '../design/button';
import { ConfirmDialog } from '../design/dialog';
import { showToast } from '../design/toast';
import { webhookUpdate } from './documents';

interface Selected {
  readonly id: string;
  readonly name: string;
  readonly disabled: boolean;
}
interface Work {
  readonly verb: 'Disable' | 'Enable';
  readonly done: number;
  readonly total: number;
}

/** Bulk actions on the selected webhooks: one call per webhook, in sequence. */
export function Bulk({
  account,
  selected,
  total,
  onSelectAll,
  onClear,
}: {
  readonly account: string;
  readonly selected: readonly Selected[];
  /** The number of selectable webhooks. */
  readonly total: number;
  readonly onSelectAll: () => void;
  readonly onClear: () => void;
}): ReactNode {
  const client = useQueryClient();
  const [work, setWork] = useState<Work>();
  const [isAsking, setAsking] = useState(false);
  const enabled = selected.filter(({ disabled }) => !disabled);
  const disabled = selected.filter((webhook) => webhook.disabled);

  const change = async (verb: Work['verb'], webhooks: readonly Selected[]): Promise<void> => {
    setAsking(false);
    const refused: string[] = [];
    const changed: Selected[] = [];
    for (const [done, webhook] of webhooks.entries()) {
      const { id, name } = webhook;
      setWork({ verb, done, total: webhooks.length });
      const refusal = await setDisabled(account, id, verb === 'Disable');
      if (refusal === undefined) changed.push(webhook);
      else refused.push(`${name}: ${refusal}`);
    }
    setWork(undefined);
    await client.invalidateQueries({ queryKey: [account] });
    const count = changed.length;
    if (count > 0)
      showToast(
        `${count} ${count === 1 ? 'webhook' : 'webhooks'} ${verb.toLowerCase()}d.`,
        'good',
        () => void change(verb === 'Disable' ? 'Enable' : 'Disable', changed),
      );
    for (const line of refused) showToast(line, 'bad');
    onClear();
  };

  return (
    <div className="table-bar" role="group" aria-label="Selected webhooks">
      <span className="number" role="status">
        {work === undefined
          ? `${selected.length} of ${total} selected`
          : `${work.verb === 'Disable' ? 'Disabling' : 'Enabling'} ${work.done + 1} of ${work.total} …`}
      </span>
      {selected.length < total && (
        <Button kind="plain" onPress={onSelectAll}>
          Select all
        </Button>
      )}
      <Button kind="plain" onPress={onClear}>
        Clear
      </Button>
      {enabled.length > 0 && (
        <Button onPress={() => setAsking(true)} isPending={work !== undefined}>
          Disable {enabled.length}
        </Button>
      )}
      {disabled.length > 0 && (
        <Button onPress={() => void change('Enable', disabled)} isPending={work !== undefined}>
          Enable {disabled.length}
        </Button>
      )}
      <ConfirmDialog
        title={`Disable ${enabled.length === 1 ? enabled[0]?.name : `${enabled.length} webhooks`}?`}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        verb="Disable"
        isDanger
        onConfirm={() => void change('Disable', enabled)}
      >
        <p>Nothing is delivered while they are disabled. Events are kept for 30 days and can be sent later.</p>
      </ConfirmDialog>
    </div>
  );
}

/** Returns why it was refused; waits for rate limits. */
const setDisabled = (account: string, id: string, disabled: boolean): Promise<string | undefined> =>
  patiently(() => run(webhookUpdate, { input: { id, disabled } }, account)).then(
    ({ data }) => data.webhookUpdate?.errors[0]?.message,
    explain,
  );
