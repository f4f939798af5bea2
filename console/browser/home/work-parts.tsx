import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTypes } from '../api/types';
import { useAccount } from '../frame/account';
import { wordsOf } from '../parts/record-status';
import type { Work } from './own-work';

const kinds: Readonly<Record<Work['type'], string>> = { request: 'Request', problem: 'Problem', task: 'Task' };
const plurals: Readonly<Record<Work['type'], string>> = { request: 'requests', problem: 'problems', task: 'tasks' };

type Described = Pick<Work, 'type' | 'number' | 'subject' | 'priority' | 'from' | 'team'>;

/** The title of a record as a link, below it how urgent it is, what it is, who asked for it and which team has it. */
export function Titled({
  type,
  number,
  subject,
  priority,
  from,
  team,
  isNew = false,
}: Described & { readonly isNew?: boolean }): ReactNode {
  const { account } = useAccount();
  const urgency = usePriority(priority);
  const more = [`${kinds[type]} ${number}`, from, team].filter((one) => one !== undefined);
  return (
    <span className="titled">
      <Link to="/accounts/$account/$kind/$record" params={{ account, kind: plurals[type], record: String(number) }}>
        {subject}
      </Link>
      <span className="meta">
        {isNew && <strong>New · </strong>}
        {urgency !== undefined && <b>{urgency} priority · </b>}
        {more.join(' · ')}
      </span>
    </span>
  );
}

/** A priority in the words of requests, which problems share. */
function usePriority(value: string | null): string | undefined {
  const { account } = useAccount();
  const { data: types } = useTypes(account);
  if (value === null) return undefined;
  const fields = types?.find(({ name }) => name === 'request')?.fields ?? [];
  const words = fields.find(({ name }) => name === 'priority')?.words;
  return wordsOf(
    words?.find((word) => word.value === value),
    value,
    true,
  );
}
