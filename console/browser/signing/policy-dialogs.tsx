import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { explain } from '../api/errors';
import { numberOf } from '../api/number';
import { useWrite } from '../api/queries';
import { useType } from '../api/types';
import { Button } from '../design/button';
import { ConfirmDialog, Dialog } from '../design/dialog';
import { ErrorSummary } from '../design/field';
import type { InputError } from '../design/input-error';
import { Form, FormActions } from '../design/form';
import { formatNumber } from '../design/formats';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { useDraft } from '../frame/draft';
import { failedCall } from '../frame/failed-call';
import { Fetched } from '../frame/fetched';
import { keepSecret } from '../frame/shown-once';
import { changesIn, toErrors, toForm, toInput } from '../parts/settings';
import { policyDelete, policyRotate, policyUpdate } from './documents';
import type { Policy, PolicyInUse } from './documents';
import { isShared } from './keys';
import { PolicyFields } from './policy-fields';

interface Properties {
  readonly policy: Policy;
  readonly onClose: () => void;
}

/** The draft survives `Esc` and a reload; *Cancel* drops it. */
export function EditDialog({ policy, onClose }: Properties): ReactNode {
  const { account } = useAccount();
  const described = useType('webhook_policy', account);
  return (
    <Dialog title={`Edit ${policy.name}`} isOpen onClose={onClose}>
      <Fetched query={described}>{(type) => <EditForm type={type} policy={policy} onClose={onClose} />}</Fetched>
    </Dialog>
  );
}

function EditForm({ type, policy, onClose }: Properties & { readonly type: TypeDescription }): ReactNode {
  const { account } = useAccount();
  // As it was opened: only what differs from it is sent.
  const [before] = useState(() => toForm(type, policy));
  const [form, setForm, dropDraft] = useDraft(`policy ${policy.id}`, before);
  const leave = (): void => {
    dropDraft();
    onClose();
  };
  const [errors, setErrors] = useState<readonly InputError[]>([]);
  const update = useWrite(policyUpdate, account);
  const save = (): void => {
    if (update.isPending) return;
    const { input, errors: wrong } = toInput(type, form, false);
    if (wrong.length > 0) return setErrors(wrong);
    const changes = changesIn(input, toInput(type, before, false).input);
    update.mutate(
      { input: { ...changes, id: policy.id } },
      {
        onSuccess: ({ data: { webhookPolicyUpdate: result } }) => {
          if (!result?.webhookPolicy) return setErrors(toErrors(type, result?.errors ?? [], form));
          showToast(`${result.webhookPolicy.name} is saved.`);
          leave();
        },
        onError: (error) => setErrors([failedCall(error)]),
      },
    );
  };
  return (
    <Form onSend={save}>
      <ErrorSummary errors={errors} title="Nothing was changed yet:" />
      <PolicyFields type={type} form={form} onChange={setForm} errors={errors} isNew={false} />
      <FormActions verb="Save" isPending={update.isPending} onCancel={leave} />
    </Form>
  );
}

/** `onMade` is called when the new key is stored for the policy's page to show. */
export function RotateDialog({ policy, onClose, onMade }: Properties & { readonly onMade?: () => void }): ReactNode {
  const { account } = useAccount();
  const rotate = useWrite(policyRotate, account);
  const result = rotate.data?.data.webhookPolicyRotate;
  const [refused] = result?.errors ?? [];
  const confirm = (): void => {
    if (rotate.isPending) return;
    rotate.mutate(
      { input: { id: policy.id } },
      {
        onSuccess: ({ data: { webhookPolicyRotate: made } }) => {
          const kid = made?.webhookPolicy?.keys.at(-1)?.kid;
          const secret = made?.sharedSecret ?? made?.publicKeyPem ?? null;
          if (kid === undefined || secret === null) return;
          keepSecret(kid, secret);
          showToast('The next key is published. It starts signing in an hour.');
          onClose();
          onMade?.();
        },
      },
    );
  };
  return (
    <ConfirmDialog
      title={`Rotate the key of ${policy.name}?`}
      isOpen
      onClose={onClose}
      verb="Rotate key"
      onConfirm={confirm}
      isPending={rotate.isPending}
      error={refused?.message ?? (rotate.error === null ? undefined : explain(rotate.error))}
    >
      <p>
        The new key signs in an hour and a minute. The old one stays valid for as long after that.{' '}
        {isShared(policy)
          ? 'Give each receiver the new secret within the hour. It keeps both and selects by kid.'
          : 'Receivers that fetch the published keys need no change. Receivers that store a key must add the new one within the hour.'}
      </p>
    </ConfirmDialog>
  );
}

export function DisableDialog({ policy, onClose }: Properties): ReactNode {
  const { account } = useAccount();
  const update = useWrite(policyUpdate, account);
  const confirm = (): void =>
    update.mutate(
      { input: { id: policy.id, disabled: true } },
      {
        onSuccess: () => {
          showToast(`${policy.name} is disabled.`);
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      title={`Disable ${policy.name}?`}
      isOpen
      onClose={onClose}
      verb="Disable"
      isDanger
      onConfirm={confirm}
      isPending={update.isPending}
      error={update.error === null ? undefined : explain(update.error)}
    >
      <p>
        This withdraws its keys, and its webhooks deliver nothing, not even unsigned. Enable it before the last attempt
        and nothing is lost.
      </p>
    </ConfirmDialog>
  );
}

const mostNamed = 10;

export function DeleteDialog({
  policy,
  webhooks,
  total,
  onClose,
  onGone,
}: Properties & PolicyInUse & { readonly onGone: () => void }): ReactNode {
  const { account } = useAccount();
  const remove = useWrite(policyDelete, account);
  const [refused] = remove.data?.data.webhookPolicyDelete?.errors ?? [];
  if (total > 0)
    return (
      <Dialog title={`${policy.name} cannot be deleted yet`} isOpen onClose={onClose}>
        <p>Webhooks that use it: {formatNumber(total)}. Choose another policy for them, or none, first.</p>
        <ul className="stack-tight">
          {webhooks.slice(0, mostNamed).map(({ id, name }) => (
            <li key={id}>
              <Link to="/accounts/$account/webhooks/$webhook/edit" params={{ account, webhook: numberOf(id) }}>
                {name}
              </Link>
            </li>
          ))}
          {total > mostNamed && (
            <li>
              <Link to="/accounts/$account/webhooks" params={{ account }} search={{ policy: numberOf(policy.id) }}>
                All {formatNumber(total)}
              </Link>
            </li>
          )}
        </ul>
        <div className="form-actions">
          <Button onPress={onClose}>Close</Button>
        </div>
      </Dialog>
    );
  const confirm = (): void =>
    remove.mutate(
      { input: { id: policy.id } },
      {
        onSuccess: ({ data: { webhookPolicyDelete: result } }) => {
          if (!result?.webhookPolicy) return;
          showToast(`${policy.name} is deleted.`);
          onGone();
        },
      },
    );
  return (
    <ConfirmDialog
      title={`Delete ${policy.name}?`}
      isOpen
      onClose={onClose}
      verb="Delete"
      isDanger
      typedName={policy.name}
      onConfirm={confirm}
      isPending={remove.isPending}
      error={refused?.message ?? (remove.error === null ? undefined : explain(remove.error))}
    >
      <p>This deletes its keys. Deliveries that wait for its signature are abandoned in the end.</p>
    </ConfirmDialog>
  );
}
