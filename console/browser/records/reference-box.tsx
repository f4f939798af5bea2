import { parse } from '@0no-co/graphql.web';
import type { TadaDocumentNode } from 'gql.tada';
import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { useDocument } from '../api/queries';
import { useTypes } from '../api/types';
import { ComboBox } from '../design/combo-box';
import { useAccount } from '../frame/account';
import { useDebounced } from '../frame/debounced';

interface Found {
  readonly number: number;
  readonly title: string;
  readonly note?: string | null;
}
interface Choices {
  readonly all: { readonly nodes: readonly Found[] } | null;
  readonly found: { readonly nodes: readonly Found[] } | null;
}

type ChoicesDocument = TadaDocumentNode<Choices, { readonly query: string | null }>;

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
  const { data, isPending } = useDocument(document, { query }, account);
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
      isLoading={isPending}
      placeholder="Type to search"
    />
  );
}

/** A document for the choice, of names that the description of the type has. */
function choicesOf({ graphqlName, rootField, title = 'id', fields, orders }: TypeDescription): ChoicesDocument {
  const has = (name: string): boolean => fields.some((field) => field.name === name);
  const enabled = fields.some(({ name, filterable }) => name === 'disabled' && filterable) ? 'disabled: false' : '';
  const order = orders.includes(title) ? `, order: [{ field: ${title} }]` : '';
  const nodes = `nodes { number title: ${title} ${has('primaryEmail') ? 'note: primaryEmail' : ''} }`;
  const text = `query ${graphqlName}Choices($query: String) {
    all: ${rootField}(first: 100${enabled === '' ? '' : `, filter: { ${enabled} }`}${order}) { ${nodes} }
    found: ${rootField}(first: 20, filter: { ${enabled} query: $query }) { ${nodes} }
  }`;
  return parse(text, { noLocation: true }) as unknown as ChoicesDocument;
}
