import { useState } from 'react';
import type { ReactNode } from 'react';
import { explain } from '../api/errors';
import { useWrite } from '../api/queries';
import { Badge } from '../design/badge';
import { Button } from '../design/button';
import { CopyField, Secret } from '../design/code';
import { ConfirmDialog, Dialog } from '../design/dialog';
import { ErrorSummary, TextField } from '../design/field';
import type { InputError } from '../design/input-error';
import { Form, FormActions } from '../design/form';
import { ActionMenu } from '../design/menu';
import { Panel } from '../design/panel';
import { Table, actionColumn } from '../design/table';
import { Time } from '../design/time';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { useDraft } from '../frame/draft';
import { failedCall } from '../frame/failed-call';
import { dropSecret, keepSecret, useSecrets } from '../frame/shown-once';
import { clientTokenCreate, clientTokenDelete, clientTokenUpdate } from './documents';
import type { Application, ClientToken } from './documents';
import { LastUse } from './last-use';

const mostTokens = 10;
const nameOf = ({ name, clientId }: ClientToken): string => name ?? clientId;

/** The client ids of an application; a new secret is shown until its reader has stored it. */
export function ClientTokens({ application }: { readonly application: Application }): ReactNode {
  const secrets = useSecrets();
  const [isAdding, setAdding] = useState(false);
  const [ending, setEnding] = useState<{ readonly token: ClientToken; readonly isForGood: boolean }>();
  const fresh = application.tokens.filter(({ clientId }) => secrets[clientId] !== undefined);
  return (
    <>
      {fresh.map((token) => (
        <Secret
          key={token.clientId}
          title={`The client secret of ${token.name ?? application.name}.`}
          text={`client_id=${token.clientId}\nclient_secret=${secrets[token.clientId]!}`}
          file={`client-${token.clientId}.txt`}
          onStored={() => dropSecret(token.clientId)}
        />
      ))}
      <Panel
        title="Client tokens"
        isFlush
        actions={
          <Button onPress={() => setAdding(true)} isDisabled={application.tokens.length >= mostTokens}>
            Add a client token
          </Button>
        }
      >
        {application.tokens.length === 0 ? (
          <p className="panel-body muted">Add a client token to use the application.</p>
        ) : (
          <TokenTable application={application} onEnd={setEnding} />
        )}
      </Panel>
      {isAdding && <AddToken application={application} onClose={() => setAdding(false)} />}
      {ending && <EndToken {...ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

function TokenTable({
  application,
  onEnd,
}: {
  readonly application: Application;
  readonly onEnd: (ending: { readonly token: ClientToken; readonly isForGood: boolean }) => void;
}): ReactNode {
  const { account } = useAccount();
  const update = useWrite(clientTokenUpdate, account);
  const enable = (token: ClientToken): void =>
    update.mutate(
      { input: { id: token.id, disabled: false } },
      {
        onSuccess: () => showToast(`${nameOf(token)} is enabled.`),
        onError: (error) => showToast(explain(error), 'bad'),
      },
    );
  return (
    <Table
      label="Client tokens"
      rows={application.tokens}
      keyOf={({ id }) => id}
      columns={[
        {
          heading: 'Client',
          isMain: true,
          cell: ({ name, clientId, disabled }) => (
            <div>
              {(name !== null || disabled) && (
                <div className="row">
                  {name}
                  {disabled && <Badge tone="bad">Disabled</Badge>}
                </div>
              )}
              <CopyField text={clientId} what="the client id" />
            </div>
          ),
        },
        { heading: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { heading: 'Last used', cell: ({ lastUsedAt }) => <LastUse at={lastUsedAt} /> },
        {
          ...actionColumn,
          isMenu: true,
          cell: (token) => (
            <ActionMenu
              label={`Actions for ${nameOf(token)}`}
              actions={[
                token.disabled
                  ? { id: 'enable', label: 'Enable', onAction: () => enable(token) }
                  : { id: 'disable', label: 'Disable…', onAction: () => onEnd({ token, isForGood: false }) },
                {
                  id: 'delete',
                  label: 'Delete…',
                  isDanger: true,
                  onAction: () => onEnd({ token, isForGood: true }),
                },
              ]}
            />
          ),
        },
      ]}
    />
  );
}

function AddToken({
  application,
  onClose,
}: {
  readonly application: Application;
  readonly onClose: () => void;
}): ReactNode {
  const { account } = useAccount();
  const [{ name }, setDraft, dropDraft] = useDraft(`client token ${application.id}`, { name: '' });
  const leave = (): void => {
    dropDraft();
    onClose();
  };
  const [errors, setErrors] = useState<readonly InputError[]>([]);
  const create = useWrite(clientTokenCreate, account);
  const add = (): void => {
    if (create.isPending) return;
    create.mutate(
      { input: { applicationId: application.id, name: name.trim() === '' ? null : name.trim() } },
      {
        onSuccess: ({ data: { oauthApplicationTokenCreate: result } }) => {
          if (!result?.oauthApplicationToken || result.clientSecret === null)
            return setErrors((result?.errors ?? []).map(({ message }) => ({ path: 'name', message })));
          keepSecret(result.oauthApplicationToken.clientId, result.clientSecret);
          leave();
        },
        onError: (error) => setErrors([failedCall(error)]),
      },
    );
  };
  return (
    <Dialog title="Add a client token" isOpen onClose={onClose}>
      <p className="muted">
        To rotate the secret without downtime: add a token, switch the application to it, delete the old one.
      </p>
      <Form className="stack" onSend={add}>
        <ErrorSummary errors={errors} title="No client token was created yet:" />
        <TextField
          label="Name"
          name="name"
          isOptional
          autoFocus
          value={name}
          onChange={(next) => setDraft({ name: next })}
          help="For example, where it is used."
          error={errors.find(({ path }) => path === 'name')?.message}
        />
        <FormActions verb="Add" isPending={create.isPending} onCancel={leave} />
      </Form>
    </Dialog>
  );
}

function EndToken({
  token,
  isForGood,
  onClose,
}: {
  readonly token: ClientToken;
  readonly isForGood: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const { account } = useAccount();
  const update = useWrite(clientTokenUpdate, account);
  const remove = useWrite(clientTokenDelete, account);
  const onSuccess = (): void => {
    showToast(`${nameOf(token)} is ${isForGood ? 'deleted' : 'disabled'}.`);
    onClose();
  };
  const confirm = (): void => {
    if (isForGood) remove.mutate({ input: { id: token.id } }, { onSuccess });
    else update.mutate({ input: { id: token.id, disabled: true } }, { onSuccess });
  };
  const error = remove.error ?? update.error;
  return (
    <ConfirmDialog
      title={isForGood ? `Delete ${nameOf(token)}?` : `Disable ${nameOf(token)}?`}
      isOpen
      onClose={onClose}
      verb={isForGood ? 'Delete' : 'Disable'}
      isDanger
      onConfirm={confirm}
      isPending={remove.isPending || update.isPending}
      error={error === null ? undefined : explain(error)}
    >
      <p>
        Tokens issued with it stop working at once, and people have to authorize again.{' '}
        {isForGood ? 'This cannot be undone.' : 'You can enable it again, but those tokens stay revoked.'}
      </p>
    </ConfirmDialog>
  );
}
