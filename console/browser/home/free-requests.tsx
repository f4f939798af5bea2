import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { explain } from '../api/errors';
import { graphql } from '../api/graphql';
import { useWrite } from '../api/queries';
import { typesOptions } from '../api/types';
import { Button, buttonClass } from '../design/button';
import { formatNumber } from '../design/formats';
import { Empty } from '../design/panel';
import { actionColumn, Table } from '../design/table';
import type { Column } from '../design/table';
import { Time } from '../design/time';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { useRowKeys } from '../frame/row-keys';
import { RecordStatus } from '../parts/record-status';
import { statusWhenTaken } from '../parts/taking-over';
import type { FreeRequest, HomeDesk } from './desk-document';
import { Titled } from './work-parts';

/** The requests of the person's teams that nobody has taken, each to be taken over by its button or by `a`. */
export function FreeRequests({
  requests,
  isOld,
}: {
  readonly requests: HomeDesk['free'];
  readonly isOld: boolean;
}): ReactNode {
  const { account } = useAccount();
  const take = useTaking();
  useRowKeys(requests?.nodes ?? [], ({ id }) => id, { a: (request) => void take(request) });
  if (!requests || requests.nodes.length === 0)
    return <Empty title="Nothing is free: all open requests have a member." />;
  const columns: readonly Column<FreeRequest>[] = [
    {
      heading: 'What',
      isMain: true,
      cell: ({ requestedBy, team, ...request }) => (
        <Titled {...request} type="request" from={requestedBy?.name} team={team?.name} />
      ),
    },
    { heading: 'Status', cell: ({ status }) => <RecordStatus status={status} type="request" /> },
    { heading: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      ...actionColumn,
      cell: (request) => (
        <Button onPress={() => void take(request)}>
          Take over<span className="visually-hidden"> {request.subject}</span>
        </Button>
      ),
    },
  ];
  return (
    <>
      <Table label="Free in your teams" isOld={isOld} rows={requests.nodes} keyOf={({ id }) => id} columns={columns} />
      {requests.totalCount > requests.nodes.length && (
        <div className="table-foot bar">
          <span className="meta number">
            {formatNumber(requests.nodes.length)} of {formatNumber(requests.totalCount)} requests
          </span>
          <Link
            className={buttonClass()}
            to="/accounts/$account/$kind"
            params={{ account, kind: 'requests' }}
            search={{ view: 'assigned_to_my_team', status: 'open', member: 'none' }}
          >
            All {formatNumber(requests.totalCount)} that are free
          </Link>
        </div>
      )}
    </>
  );
}

const takeOver = graphql(`
  mutation TakeOver($input: RequestUpdateInput!) {
    requestUpdate(input: $input) {
      request {
        id
      }
      errors {
        message
      }
    }
  }
`);

/** Takes over a request as it is shown: what somebody else has changed meanwhile is not written over. */
function useTaking(): (request: FreeRequest) => Promise<void> {
  const { account, session } = useAccount();
  const client = useQueryClient();
  const write = useWrite(takeOver, account);
  return async ({ id, subject, status, version }) => {
    try {
      // A button can be pressed before the page knows the types.
      const types = await client.ensureQueryData(typesOptions(account));
      const type = types.find(({ name }) => name === 'request');
      const field = type?.fields.find(({ name }) => name === 'status');
      const accepted = type && statusWhenTaken(type, field, status) === 'accepted';
      const change = { memberId: session.person.id, ...(accepted && { status: 'accepted' as const }) };
      const input = { id, ...change, ifVersion: version };
      const { data } = await write.mutateAsync({ input });
      const [refused] = data.requestUpdate?.errors ?? [];
      if (refused) return showToast(`Not taken over: ${refused.message}`, 'bad');
      showToast(`${subject} is yours now.`);
      // The row is gone with its button; the heading takes the focus instead of losing it.
      document.querySelector('h1')?.focus();
    } catch (error) {
      showToast(`Not taken over: ${explain(error)}`, 'bad');
    }
  };
}
