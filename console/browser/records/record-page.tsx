import './record.css';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { explain, failureOf } from '../api/errors';
import { useTypes } from '../api/types';
import { Button } from '../design/button';
import { Banner } from '../design/panel';
import { useAccount } from '../frame/account';
import { Fetched } from '../frame/fetched';
import { Page } from '../frame/page';
import type { Crumb } from '../frame/page';
import { titleOfList } from '../frame/screens';
import { useShortcuts } from '../frame/shortcuts';
import { kinds } from './kinds';
import type { Kind } from './kinds';
import { lastList } from './last-list';
import { MissingRecord } from './missing-record';
import { draftedNote } from './note-composer';
import { NoSuchPlace } from './no-such-place';
import { RecordActions } from './record-actions';
import { RecordParts, RecordState } from './shown-record';
import { recordOptions, trashOptions, useLive } from './use-record';
import { Visitors } from './visitors';
import { isKeeper, mayList } from './editing';
import type { RestRecord } from './values';

/** The page at a record's canonical address, which deliveries contain; one page for all kinds. */
export function RecordPage(): ReactNode {
  const { kind: plural = '', record = '' } = useParams({ strict: false });
  const kind = kinds.find((each) => each.plural === plural);
  if (!kind || !/^\d{1,15}$/.test(record)) return <NoSuchPlace />;
  return <Record key={`${plural} ${record}`} kind={kind} number={record} />;
}

function Record({ kind, number }: { readonly kind: Kind; readonly number: string }): ReactNode {
  const { account, session } = useAccount();
  const place = { account, kind, number };
  const active = useQuery(recordOptions(place));
  const others = useLive(place, active.data, () => draftedNote({ account, session }, kind, number) !== undefined);
  const isMissing = active.error !== null && failureOf(active.error).kind === 'missing';
  const isSought = isMissing && kind.hasHistory && isKeeper(session);
  const trash = useQuery({ ...trashOptions(place), enabled: isSought });
  const types = useTypes(account);
  const type = types.data?.find(({ name }) => name === kind.name);
  const crumbs = useWayBack(kind, type);
  if (isMissing && (!isSought || trash.data === null)) return <MissingRecord kind={kind} number={number} />;
  const query = isSought ? trash : active;
  // Lists leave out the account, which is that of the address.
  const trashed = trash.data && { ...trash.data, account: { id: account, name: session.account.name } };
  const known = isSought ? trashed && { data: trashed, tag: undefined } : active.data;
  const shown = known && !types.isPending && { known, kind, number, type, isInTrash: isSought };
  // What failed beside the record would need a second "Try again".
  const refetch = (): Promise<unknown> => {
    if (types.isError) void types.refetch();
    return query.refetch();
  };
  return (
    <Page
      crumbs={crumbs}
      title={known === undefined || known === null ? `${capital(kind.noun)} ${number}` : titleOf(known.data, kind)}
      badge={known && <RecordState record={known.data} kind={kind} />}
      lead={
        known && (
          <>
            {capital(kind.noun)} {number} of {known.data.account.name} <Visitors others={others} noun={kind.noun} />
          </>
        )
      }
      actions={shown && <RecordActions {...shown} />}
    >
      {shown && types.error !== null && type === undefined && (
        <Banner
          tone="warn"
          title="Nothing can be changed here now"
          actions={<Button onPress={() => void types.refetch()}>Try again</Button>}
        >
          <p>{explain(types.error)}</p>
        </Banner>
      )}
      <Fetched query={{ ...query, data: shown || undefined, refetch }} rows={8}>
        {(one) => <RecordParts {...one} />}
      </Fetched>
    </Page>
  );
}

/** The list of the kind as it was last seen, as the parent of the page; `u` leads there. */
function useWayBack({ plural }: Kind, type: TypeDescription | undefined): readonly Crumb[] {
  const { account, session } = useAccount();
  const navigate = useNavigate();
  const to = `/accounts/${account}/${plural}`;
  const search = lastList(to);
  const hasList = type !== undefined && mayList(type, session);
  useShortcuts(hasList ? { u: () => void navigate({ to, search }) } : {});
  return hasList ? [{ label: titleOfList(plural, session), to, search }] : [];
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
function titleOf({ id, subject, name }: RestRecord, kind: Kind): string {
  const title = subject ?? name;
  return typeof title === 'string' ? title : `${capital(kind.noun)} ${id}`;
}
