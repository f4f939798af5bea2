import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTypes } from '../api/types';
import { useAccount } from '../frame/account';
import { wordsOf } from '../parts/record-status';
import type { Work } from './own-work';

const kinds: Readonly<Record<Work['type'], string>> = { request: 'Request', problem: 'Problem', task: 'Task' };
const plurals: Readonly<Record<Work['type'], string>> = { request: 'requests', problem: 'problems', task: 'tasks' };

/** The title of a record as a link, below it what it is and who asked for it. */
export function Titled({
  type,
  number,
  subject,
  from,
  isNew = false,
}: Pick<Work, 'type' | 'number' | 'subject' | 'from'> & { readonly isNew?: boolean }): ReactNode {
  const { account } = useAccount();
  return (
    <span className="titled">
      <Link to="/accounts/$account/$kind/$record" params={{ account, kind: plurals[type], record: String(number) }}>
        {subject}
      </Link>
      <span className="meta">
        {isNew && <strong>New · </strong>}
        {kinds[type]} {number}
        {from !== undefined && ` · ${from}`}
      </span>
    </span>
  );
}

/** A priority in the words of requests, which problems share. */
export function Priority({ value }: { readonly value: string | null }): ReactNode {
  const { account } = useAccount();
  const { data: types } = useTypes(account);
  const fields = types?.find(({ name }) => name === 'request')?.fields ?? [];
  const words = fields.find(({ name }) => name === 'priority')?.words;
  return value === null
    ? '–'
    : wordsOf(
        words?.find((word) => word.value === value),
        value,
        true,
      );
}
