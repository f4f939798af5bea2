import type { ReactNode } from 'react';
import type { WordDescription } from '@itsm/shared/declared/description';
import { isStaff } from '../api/roles';
import { useTypes } from '../api/types';
import { Badge } from '../design/badge';
import { useAccount } from '../frame/account';

/** The status of a record, to those who asked for it in their words. */
export function RecordStatus({ status, type }: { readonly status: string; readonly type: string }): ReactNode {
  const { account, session } = useAccount();
  const { data: types } = useTypes(account);
  const fields = types?.find(({ name }) => name === type)?.fields ?? [];
  const word = fields.find(({ name }) => name === 'status')?.words?.find(({ value }) => value === status);
  return <Badge tone={word?.tone ?? 'quiet'}>{wordsOf(word, status, isStaff(session))}</Badge>;
}

/** A value of a choice in words; one without any is shown by its name, `in_progress` as "In progress". */
export function wordsOf(word: Partial<WordDescription> | undefined, value: string, isForStaff: boolean): string {
  const words = (isForStaff ? undefined : word?.plain) ?? word?.label ?? value.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
