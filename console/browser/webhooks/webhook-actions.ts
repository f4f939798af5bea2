import { useMutation } from '@tanstack/react-query';
import { explain } from '../api/errors';
import { run } from '../api/graphql';
import { useWrite } from '../api/queries';
import { showToast } from '../design/toast';
import { webhookDelete, webhookTest, webhookUpdate, webhookVerify } from './documents';

interface Named {
  readonly id: string;
  readonly name: string;
}
type Refusals = readonly { readonly message: string }[];

/** One-press actions on a webhook. Each shows its result in a toast, and resolves with whether it succeeded. */
export interface WebhookActions {
  readonly sendTest: (webhook: Named) => Promise<boolean>;
  readonly verify: (webhook: Named) => Promise<boolean>;
  readonly setDisabled: (webhook: Named, disabled: boolean) => Promise<boolean>;
  /** Does not invalidate queries: the caller leaves the page first. */
  readonly remove: (webhook: Named) => Promise<boolean>;
  readonly isTesting: boolean;
  readonly isVerifying: boolean;
  readonly isSetting: boolean;
  readonly isRemoving: boolean;
}

export function useWebhookActions(account: string): WebhookActions {
  const test = useWrite(webhookTest, account);
  const verification = useWrite(webhookVerify, account);
  const update = useWrite(webhookUpdate, account);
  const removal = useMutation({ mutationFn: (id: string) => run(webhookDelete, { input: { id } }, account) });
  const setDisabled: WebhookActions['setDisabled'] = (webhook, disabled) =>
    report(
      `${webhook.name} is ${disabled ? 'disabled' : 'enabled'}.`,
      update.isPending,
      async () => {
        const { data } = await update.mutateAsync({ input: { id: webhook.id, disabled } });
        return data.webhookUpdate?.errors ?? [];
      },
      () => void setDisabled(webhook, !disabled),
    );
  return {
    sendTest: (webhook) =>
      report(`Test sent to ${webhook.name}.`, test.isPending, async () => {
        const { data } = await test.mutateAsync({ input: { id: webhook.id } });
        return data.webhookTest?.errors ?? [];
      }),
    verify: (webhook) =>
      report(`Verification sent to ${webhook.name} again.`, verification.isPending, async () => {
        const { data } = await verification.mutateAsync({ input: { id: webhook.id } });
        return data.webhookVerify?.errors ?? [];
      }),
    setDisabled,
    remove: (webhook) =>
      report(`${webhook.name} is deleted.`, removal.isPending, async () => {
        const { data } = await removal.mutateAsync(webhook.id);
        return data.webhookDelete?.errors ?? [];
      }),
    isTesting: test.isPending,
    isVerifying: verification.isPending,
    isSetting: update.isPending,
    isRemoving: removal.isPending,
  };
}

/** Writes and shows the result; ignores a second press while the first is in flight. */
async function report(
  done: string,
  isAtWork: boolean,
  write: () => Promise<Refusals>,
  undo?: () => void,
): Promise<boolean> {
  if (isAtWork) return false;
  try {
    const [refusal] = await write();
    if (refusal === undefined) showToast(done, 'good', undo);
    else showToast(refusal.message, 'bad');
    return refusal === undefined;
  } catch (error) {
    showToast(explain(error), 'bad');
    return false;
  }
}
