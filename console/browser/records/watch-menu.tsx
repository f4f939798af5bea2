import { useQuery, useQueryClient } from '@tanstack/react-query';
import { parse } from '@0no-co/graphql.web';
import type { TadaDocumentNode } from 'gql.tada';
import { Eye } from 'lucide-react';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { explain } from '../api/errors';
import { graphql, run } from '../api/graphql';
import type { VariablesOf } from '../api/graphql';
import { queryOf } from '../api/queries';
import { ActionMenu } from '../design/menu';
import { showToast } from '../design/toast';
import { useAccount } from '../frame/account';
import { useBell, useReadNotices } from '../frame/bell-document';
import type { Kind } from './kinds';

const choosing = graphql(`
  mutation ChooseWatch($input: WatchUpdateInput!) {
    watchUpdate(input: $input) {
      level
      errors {
        message
      }
    }
  }
`);

type Level = VariablesOf<typeof choosing>['input']['level'];

interface Choice {
  readonly id: Level;
  readonly label: string;
  readonly note: string;
  readonly done: string;
}

export const levels: readonly Choice[] = [
  {
    id: 'own',
    label: 'When it concerns me',
    note: 'As the one who works on it, or who asked for it',
    done: 'You get a notice when it concerns you.',
  },
  { id: 'all', label: 'Watch', note: 'Every note and change of its state', done: 'You watch it.' },
  {
    id: 'ending',
    label: 'Only when it ends',
    note: 'That it is completed or opened again',
    done: 'You get a notice when it ends.',
  },
  {
    id: 'none',
    label: 'Mute',
    note: 'Only that it is assigned to me, or names me',
    done: 'You get no more notices of it.',
  },
];

/** A team concerns nobody by itself. */
export const levelsOfTeams: readonly Choice[] = [
  { id: 'own', label: 'Do not watch', note: 'No notices of its work', done: 'You get no notices of its work.' },
  { id: 'all', label: 'Watch', note: 'What it gets and nobody has taken over', done: 'You watch its new work.' },
];

/** A document for what the person watches of a record of the type. */
const watchingOf = ({ name, type }: Kind): TadaDocumentNode<{ record: { watching: Level } | null }, { id: string }> =>
  parse(
    `query ${type}Watching($id: ID!) { record: ${name.replaceAll(/_(.)/g, (_match, letter: string) => letter.toUpperCase())}(id: $id) { watching } }`,
    { noLocation: true },
  );

/** Chooses which notices of the record the person gets. */
export function WatchMenu({
  kind,
  id,
  levels: choices,
}: {
  readonly kind: Kind;
  readonly id: string;
  readonly levels: readonly Choice[];
}): ReactNode {
  const { account } = useAccount();
  const client = useQueryClient();
  const query = queryOf(watchingOf(kind), { id }, account);
  const { data } = useQuery(query);
  const level = data?.data.record?.watching;
  if (level === undefined) return null;
  const choose = async (wanted: Level, done: string): Promise<void> => {
    try {
      await run(choosing, { input: { id, level: wanted } }, account);
      await client.invalidateQueries({ queryKey: query.queryKey });
      showToast(done);
    } catch (error) {
      showToast(`Not changed: ${explain(error)}`, 'bad');
    }
  };
  const chosen = choices.find((one) => one.id === level);
  const text = level === 'all' ? 'Watching' : level === 'none' ? 'Muted' : 'Watch';
  return (
    <ActionMenu
      label={`${text}, notices of this ${kind.noun}: ${chosen?.label ?? level}`}
      className="button"
      actions={choices.map(({ id: wanted, label, note, done }) => ({
        id: wanted,
        label,
        note: wanted === level ? `${note} · now` : note,
        onAction: () => void choose(wanted, done),
      }))}
    >
      <Eye aria-hidden size={16} strokeWidth={1.75} />
      {text}
    </ActionMenu>
  );
}

/** Marks the notices of the record as read, since the person sees it. */
export function ReadsNotices({ kind, number }: { readonly kind: Kind; readonly number: string }): ReactNode {
  const { account } = useAccount();
  const read = useReadNotices(account);
  const { data } = useBell(account);
  const unread = data?.data.notices?.nodes.filter(
    ({ record }) => record?.type === kind.type && record.number === Number(number),
  );
  const ids = unread?.map(({ id }) => id).join(' ') ?? '';
  const record = unread?.[0]?.record?.id;
  useEffect(() => {
    // What cannot be marked now stays unread.
    if (record !== undefined && ids !== '') void read({ recordId: record }).catch(() => undefined);
    // Again only when something else has happened.
  }, [ids]);
  return null;
}
