import { useState } from 'react';
import type { ReactNode } from 'react';
import { explain } from '../api/errors';
import { nextPage, usePages } from '../api/pages';
import { useWrite } from '../api/queries';
import { Button } from '../design/button';
import { ConfirmDialog } from '../design/dialog';
import { Panel } from '../design/panel';
import { More, Table, actionColumn } from '../design/table';
import { Time } from '../design/time';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';
import { authorizationList, authorizationRevoke } from './documents';
import type { Application, Authorization } from './documents';
import { LastUse } from './last-use';

const nameOf = ({ person }: Authorization): string => person?.name ?? 'Someone in another account';

/** The people who have authorised an application, and revoking that. */
export function AuthorizationPanel({ application }: { readonly application: Application }): ReactNode {
  const { account } = useAccount();
  const [revoking, setRevoking] = useState<Authorization>();
  const query = usePages(
    authorizationList,
    { id: application.id, first: 50 },
    account,
    ({ oauthApplication }) => oauthApplication?.authorizations,
  );
  return (
    <Panel title="Authorized by" isFlush>
      <Fetched query={query} rows={2}>
        {({ nodes, totalCount }, isOld) =>
          totalCount === 0 ? (
            <p className="panel-body muted">Nobody has authorized it.</p>
          ) : (
            <>
              <Table
                label="Authorized by"
                rows={nodes}
                keyOf={({ id }) => id}
                isOld={isOld}
                columns={[
                  {
                    heading: 'Person',
                    isMain: true,
                    cell: (authorization) => (
                      <div>
                        {nameOf(authorization)}
                        {authorization.person && <div className="meta">{authorization.person.primaryEmail}</div>}
                      </div>
                    ),
                  },
                  { heading: 'Authorized', cell: ({ grantedAt }) => <Time at={grantedAt} /> },
                  { heading: 'Last used', cell: ({ lastUsedAt }) => <LastUse at={lastUsedAt} /> },
                  {
                    ...actionColumn,
                    cell: (authorization) => (
                      <Button onPress={() => setRevoking(authorization)}>
                        Revoke<span className="visually-hidden"> authorization of {nameOf(authorization)}</span>
                      </Button>
                    ),
                  },
                ]}
              />
              {totalCount > nodes.length && (
                <More shown={nodes.length} total={totalCount} noun="people" {...nextPage(query)} />
              )}
            </>
          )
        }
      </Fetched>
      {revoking && (
        <RevokeDialog application={application} authorization={revoking} onClose={() => setRevoking(undefined)} />
      )}
    </Panel>
  );
}

function RevokeDialog({
  application,
  authorization,
  onClose,
}: {
  readonly application: Application;
  readonly authorization: Authorization;
  readonly onClose: () => void;
}): ReactNode {
  const { account } = useAccount();
  const revoke = useWrite(authorizationRevoke, account);
  const [refused] = revoke.data?.data.oauthAuthorizationRevoke?.errors ?? [];
  const confirm = (): void =>
    revoke.mutate(
      { input: { id: authorization.id } },
      {
        onSuccess: ({ data: { oauthAuthorizationRevoke: result } }) => {
          if (!result || result.errors.length > 0) return;
          showToast(`${application.name} no longer acts for ${nameOf(authorization)}.`);
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      title={`Revoke authorization of ${nameOf(authorization)}?`}
      isOpen
      onClose={onClose}
      verb="Revoke"
      isDanger
      onConfirm={confirm}
      isPending={revoke.isPending}
      error={refused?.message ?? (revoke.error === null ? undefined : explain(revoke.error))}
    >
      <p>The tokens of {application.name} for this person stop working at once. It may ask the person again.</p>
    </ConfirmDialog>
  );
}
