import { useNavigate, useRouter } from '@tanstack/react-router';
import { ListFilter, X } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { FieldDescription, TypeDescription } from '@itsm/shared/declared/description';
import { Button } from '../design/button';
import { TextField } from '../design/field';
import { ActionMenu } from '../design/menu';
import { Select } from '../design/select';
import type { Option } from '../design/select';
import { useShortcuts } from '../frame/shortcuts';
import { isStaff } from '../api/roles';
import { useAccount } from '../frame/account';
import { ColumnMenu } from './column-menu';
import { fieldsFor } from './editing';
import { filterFields, sortsOf, usualSort, withParts } from './list-search';
import type { ListSearch } from './list-search';
import { ReferenceBox } from './reference-box';

/** The words, filters and order of a list, as in its address. */
export function ListFilters({
  type,
  search,
  unknown,
}: {
  readonly type: TypeDescription;
  readonly search: ListSearch;
  /** Names of parameters that have no effect. */
  readonly unknown: readonly string[];
}): ReactNode {
  const navigate = useNavigate({ from: '/accounts/$account/$kind' });
  const [added, setAdded] = useState<readonly string[]>([]);
  const router = useRouter();
  const set = useCallback(
    (parts: ListSearch): void => {
      // Who has followed a link meanwhile is not taken back to the list by words that were just typed.
      if (!router.latestLocation.pathname.endsWith(`/${type.plural}`)) return;
      void navigate({ search: (before) => withParts(before, parts), replace: true });
    },
    [navigate, router, type.plural],
  );
  const { session } = useAccount();
  // Several statuses have the same words for those who asked for the work.
  const fields = fieldsFor(session, filterFields(type)).filter(
    ({ words = [] }) => isStaff(session) || words.every(({ plain }) => plain === undefined),
  );
  const shown = fields.filter(
    ({ name, rest }) => name === 'status' || added.includes(name) || (rest in search && !unknown.includes(rest)),
  );
  const others = fields.filter((field) => !shown.includes(field));
  const sort = search['sort'] ?? usualSort;
  return (
    <div className="filters list-filters" role="search">
      <Words type={type} words={search['q'] ?? ''} onChange={(q) => set({ q })} />
      {shown.map((field) => (
        <FieldFilter
          key={field.name}
          type={type}
          field={field}
          value={search[field.rest] ?? ''}
          onChange={(value) => set({ [field.rest]: value })}
        />
      ))}
      <Select
        label="Order"
        value={sort}
        onChange={(value) => set({ sort: value === usualSort ? '' : value })}
        options={withChosen(sortsOf(type), sort)}
      />
      {unknown.map((name) => (
        <Part key={name} onRemove={() => set({ [name]: '' })}>
          {name}={search[name]} has no effect
        </Part>
      ))}
      {others.length > 0 && (
        <ActionMenu
          label="Add filter"
          actions={others.map(({ name, label }) => ({
            id: name,
            label,
            onAction: () => setAdded((before) => [...before, name]),
          }))}
        >
          <ListFilter aria-hidden size={16} /> Filter
        </ActionMenu>
      )}
      <ColumnMenu type={type} search={search} onChange={(next) => void navigate({ search: next, replace: true })} />
    </div>
  );
}

/** Debounced; `/` leads to it. */
function Words({
  type,
  words,
  onChange,
}: {
  readonly type: TypeDescription;
  readonly words: string;
  readonly onChange: (words: string) => void;
}): ReactNode {
  // What the person has typed since the address was changed from outside, as by the link of a view.
  const [typed, setTyped] = useState<string>();
  const [sent, setSent] = useState(words);
  const [known, setKnown] = useState(words);
  if (words !== known) {
    setKnown(words);
    setSent(words);
    if (words !== sent) setTyped(undefined);
  }
  useEffect(() => {
    if (typed === undefined) return;
    const timer = setTimeout(() => {
      setSent(typed.trim());
      onChange(typed.trim());
    }, 250);
    return () => clearTimeout(timer);
    // Only what was typed changes the address, which others change as well.
  }, [typed]);
  useShortcuts({ '/': () => document.querySelector<HTMLElement>('.filters input')?.focus() });
  const searched = type.fields.filter(({ name }) => (type.search ?? [type.title]).includes(name));
  const labels = searched.map(({ label }) => label.toLowerCase()).join(' or ');
  return <TextField label={`Words in the ${labels}`} value={typed ?? words} onChange={setTyped} type="search" />;
}

function FieldFilter({
  type,
  field,
  value,
  onChange,
}: {
  readonly type: TypeDescription;
  readonly field: FieldDescription;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const { label, name, kind, refersTo, words = [], required } = field;
  if (refersTo !== undefined) {
    if (value !== '' && !/^\d+$/.test(value))
      return <Part onRemove={() => onChange('')}>{`${label}: ${value.replaceAll(',', ', ')}`}</Part>;
    return (
      <ReferenceBox
        refersTo={refersTo}
        label={label}
        name={`filter-${name}`}
        chosen={value === '' ? undefined : { id: Number(value), name: `${label} ${value}` }}
        onChoose={(record) => onChange(record === undefined ? '' : String(record.id))}
      />
    );
  }
  const values: readonly Option[] =
    kind === 'flag'
      ? [
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]
      : words.map((word) => ({ value: word.value, label: word.label }));
  const isStatus = name === 'status' && type.closed !== undefined;
  return (
    <Select
      label={label}
      value={value}
      onChange={onChange}
      options={withChosen(
        [
          { value: '', label: 'Any' },
          ...(isStatus ? [{ value: 'open', label: 'Open', note: 'Everything that is not closed' }] : []),
          ...values,
          ...(required ? [] : [{ value: 'none', label: 'None' }]),
        ],
        value,
      )}
    />
  );
}

function Part({ onRemove, children }: { readonly onRemove: () => void; readonly children: ReactNode }): ReactNode {
  return (
    <Button onPress={onRemove}>
      {children} <X aria-hidden size={14} />
      <span className="visually-hidden">, remove filter</span>
    </Button>
  );
}

/** Adds the value from the address to the options when it is none of them, so that it stays visible. */
const withChosen = (options: readonly Option[], value: string): readonly Option[] =>
  options.some((option) => option.value === value)
    ? options
    : [...options, { value, label: value.replaceAll(',', ', ') }];
