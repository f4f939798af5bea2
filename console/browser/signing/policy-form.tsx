import type { TypeDescription } from '@itsm/shared/declared/description';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { numberOf } from '../api/number';
import { useWrite } from '../api/queries';
import { isAdministrator } from '../api/roles';
import { useType } from '../api/types';
import { ErrorSummary } from '../design/field';
import type { InputError } from '../design/input-error';
import { Form, FormActions } from '../design/form';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { useDraft } from '../frame/draft';
import { failedCall } from '../frame/failed-call';
import { Fetched, NotAllowed } from '../frame/fetched';
import { Page } from '../frame/page';
import { keepSecret } from '../frame/shown-once';
import { toErrors, toInput } from '../parts/settings';
import { policyCreate } from './documents';
import { PolicyFields, isShared, newPolicy } from './policy-fields';

/** Creates a policy; its page then shows the key, once. */
export function NewPolicy(): ReactNode {
  const { account, session } = useAccount();
  const described = useType('webhook_policy', account);
  const crumbs = [{ label: 'Signing', to: `/accounts/${account}/signing` }];
  return (
    <Page title="New policy" crumbs={crumbs}>
      {isAdministrator(session) ? (
        <Fetched query={described}>{(type) => <NewForm type={type} />}</Fetched>
      ) : (
        <NotAllowed />
      )}
    </Page>
  );
}

function NewForm({ type }: { readonly type: TypeDescription }): ReactNode {
  const { account } = useAccount();
  const navigate = useNavigate();
  const [form, setForm, dropDraft] = useDraft('policy', newPolicy(type));
  const [errors, setErrors] = useState<readonly InputError[]>([]);
  const create = useWrite(policyCreate, account);
  const submit = (): void => {
    if (create.isPending) return;
    const { input, errors: wrong } = toInput(type, form, true);
    if (wrong.length > 0) return setErrors(wrong);
    create.mutate(
      { input },
      {
        onSuccess: ({ data: { webhookPolicyCreate: made } }) => {
          if (!made?.webhookPolicy) return setErrors(toErrors(type, made?.errors ?? [], form));
          const secret = made.sharedSecret ?? made.publicKeyPem;
          const kid = made.webhookPolicy.keys.at(-1)?.kid;
          if (secret !== null && kid !== undefined) keepSecret(kid, secret);
          dropDraft();
          showToast(`${made.webhookPolicy.name} is ready. Select it in the webhooks that it should sign.`);
          void navigate({
            to: '/accounts/$account/signing/$policy',
            params: { account, policy: numberOf(made.webhookPolicy.id) },
            replace: true,
          });
        },
        onError: (error) => setErrors([failedCall(error)]),
      },
    );
  };
  const cancel = (): void => {
    dropDraft();
    void navigate({ to: '/accounts/$account/signing', params: { account } });
  };
  return (
    <Form onSend={submit}>
      <ErrorSummary errors={errors} title="Nothing was created yet:" />
      <PolicyFields type={type} form={form} onChange={setForm} errors={errors} isNew />
      <FormActions verb="Create policy" isPending={create.isPending} onCancel={cancel}>
        <span className="meta">
          {isShared(form)
            ? 'The secret is shown once.'
            : 'The private key never leaves the platform. The public key is published, and shown once.'}
        </span>
      </FormActions>
    </Form>
  );
}
