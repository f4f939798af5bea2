import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { useDocument } from '../api/queries';
import { useTypes } from '../api/types';
import { ComboBox } from '../design/combo-box';
import { useAccount } from '../frame/account';
import { useDebounced } from '../frame/debounced';
import { choicesOf } from './choices-document';

/** A person, or another record, in a choice. */
export interface Referred {
  readonly id: number;
  readonly name: string;
}

/** A choice of a record of a type: of the first hundred, and of those that match what is typed. */
export function ReferenceBox({
  refersTo,
  ...box
}: Omit<Parameters<typeof Search>[0], 'type'> & {
  /** Its GraphQL type. */
  readonly refersTo: string;
}): ReactNode {
  const { account } = useAccount();
  const type = useTypes(account).data?.find(({ graphqlName }) => graphqlName === refersTo);
  return type?.rootField === undefined ? null : <Search type={type} {...box} />;
}

function Search({
  type,
  onChoose,
  chosen,
  ...field
}: {
  readonly type: TypeDescription;
  /** Undefined when the field is emptied. */
  readonly onChoose: (record: Referred | undefined) => void;
  readonly chosen?: Referred | undefined;
  readonly label: string;
  readonly name: string;
  readonly help?: string | undefined;
  readonly error?: string | undefined;
  readonly isOptional?: boolean;
  readonly autoFocus?: boolean;
}): ReactNode {
  const { account } = useAccount();
  const [text, setText] = useState('');
  const typed = useDebounced(text.trim(), 250);
  const document = useMemo(() => choicesOf(type), [type]);
  const query = typed === '' || typed === chosen?.name ? null : typed;
  const { data, isPending, isPlaceholderData } = useDocument(document, { query }, account);
  const known = new Map(
    [...(data?.data.all?.nodes ?? []), ...(data?.data.found?.nodes ?? [])].map((one) => [String(one.number), one]),
  );
  if (chosen && !known.has(String(chosen.id))) known.set(String(chosen.id), { number: chosen.id, title: chosen.name });
  const options = [...known.values()].map(({ number, title, note }) => ({
    value: String(number),
    label: title,
    note: note ?? `${type.label} ${number}`,
  }));
  return (
    <ComboBox
      {...field}
      value={chosen === undefined ? '' : String(chosen.id)}
      onChange={(value) => {
        const one = known.get(value);
        onChoose(one && { id: one.number, name: one.title });
      }}
      onSearch={setText}
      groups={[{ title: type.labelPlural, options }]}
      isLoading={isPending || isPlaceholderData || (text.trim() !== typed && text !== chosen?.name)}
      placeholder="Type to search"
    />
  );
}
