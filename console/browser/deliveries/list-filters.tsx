import { useNavigate, useSearch } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { numberOf } from '../api/number';
import { useWhole } from '../api/pages';
import { useDocument } from '../api/queries';
import { Button } from '../design/button';
import { TextField } from '../design/field';
import { formatMoment } from '../design/formats';
import { Select } from '../design/select';
import type { Option } from '../design/select';
import { useAccount } from '../frame/account';
import { useDebounced } from '../frame/debounced';
import { useShortcuts } from '../frame/shortcuts';
import { errorWords } from '../parts/delivery-row';
import { parseRecord } from '../parts/named-record';
import { deliveryChoices, deliveryWebhooks } from './list-document';
import { isSpan } from './search';
import type { DeliverySearch } from './search';

const states: readonly Option[] = [
  { value: '', label: 'All states' },
  { value: 'failed,stopped', label: 'Failed or stopped' },
  { value: 'failed', label: 'Failed' },
  { value: 'stopped', label: 'Stopped' },
  { value: 'pending', label: 'Waiting' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'skipped', label: 'Skipped' },
];
const problems: readonly Option[] = [
  { value: '', label: 'Any response' },
  { value: 'http_status', label: 'Error status' },
  ...Object.entries(errorWords).map(([value, words]) => ({
    value,
    label: words.charAt(0).toUpperCase() + words.slice(1),
  })),
];
const spanOptions: readonly Option[] = [
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days', note: 'Older deliveries are deleted.' },
];

/** Filters of the address without a field of their own; they are shown as removable tags. */
const others = [
  ['status', 'Status'],
  ['host', 'Host'],
  ['test', 'Test'],
  ['occurrence', 'Event ID'],
] as const;

const changed = (before: DeliverySearch, changes: DeliverySearch): DeliverySearch =>
  Object.fromEntries(Object.entries(Object.assign({}, before, changes)).filter(([, text]) => text !== ''));

/** Adds the value from the address to the options when it is none of them, so that it stays visible. */
const withChosen = (options: readonly Option[], value: string | undefined): readonly Option[] =>
  value === undefined || options.some((option) => option.value === value)
    ? options
    : [...options, { value, label: value }];

export function ListFilters(): ReactNode {
  const { account } = useAccount();
  const search = useSearch({ from: '/accounts/$account/deliveries' });
  const navigate = useNavigate({ from: '/accounts/$account/deliveries' });
  const choices = useDocument(deliveryChoices, {}, account);
  const { webhooks: first, webhookEvents = [] } = choices.data?.data ?? {};
  const { nodes: webhooks, areAll } = useWhole(
    first,
    deliveryWebhooks,
    { first: 100 },
    account,
    (answer) => answer.webhooks,
  );
  // Only events that webhooks are registered for, if all webhooks are known.
  const events = areAll ? webhooks.map(({ event }) => event) : webhookEvents.map(({ name }) => name);
  const set = useCallback(
    (changes: DeliverySearch) => void navigate({ search: (before) => changed(before, changes), replace: true }),
    [navigate],
  );
  const since = search.since ?? '24h';
  const isMoment = !isSpan(since) || search.until !== undefined;
  return (
    <div className="filters filters-many" role="search">
      <Select
        label="Webhook"
        value={search.webhook ?? ''}
        onChange={(webhook) => set({ webhook })}
        options={withChosen(
          [
            { value: '', label: 'All webhooks' },
            ...webhooks.map(({ id, name }) => ({ value: numberOf(id), label: name })),
          ],
          search.webhook,
        )}
      />
      <Select
        label="State"
        value={search.state ?? ''}
        onChange={(state) => set({ state })}
        options={withChosen(states, search.state)}
      />
      <Select
        label="Event"
        value={search.event ?? ''}
        onChange={(event) => set({ event })}
        options={withChosen(
          [
            { value: '', label: 'All events' },
            ...[...new Set([...events, 'webhook.verify'])].sort().map((event) => ({ value: event, label: event })),
          ],
          search.event,
        )}
      />
      <Select
        label="Last response"
        value={search.problem ?? ''}
        onChange={(problem) => set({ problem })}
        options={withChosen(problems, search.problem)}
      />
      <RecordField key={search.object ?? ''} object={search.object ?? ''} onChange={(object) => set({ object })} />
      <Select
        label="When"
        value={isMoment ? 'moment' : since}
        onChange={(value) => set({ since: value === '24h' ? '' : value, until: '' })}
        options={
          isMoment ? [...spanOptions, { value: 'moment', label: momentLabel(since, search.until) }] : spanOptions
        }
      />
      {others.map(
        ([name, label]) =>
          search[name] !== undefined && (
            <Button key={name} onPress={() => set({ [name]: '' })}>
              {label}: {search[name]} <X aria-hidden size={14} />
              <span className="visually-hidden">, remove filter</span>
            </Button>
          ),
      )}
    </div>
  );
}

/** A record by number or address, debounced. */
function RecordField({
  object,
  onChange,
}: {
  readonly object: string;
  readonly onChange: (object: string) => void;
}): ReactNode {
  const [text, setText] = useState(object);
  const settled = useDebounced(text.trim(), 400);
  useEffect(() => {
    if (settled !== object && isRecord(settled)) onChange(settled);
  }, [settled, object, onChange]);
  useShortcuts({ '/': () => document.querySelector<HTMLElement>('.filters input')?.focus() });
  return (
    <TextField
      label="Record"
      value={text}
      onChange={setText}
      placeholder="requests/103"
      error={isRecord(settled) ? undefined : 'Enter a number or a path, such as requests/103.'}
    />
  );
}

const isRecord = (text: string): boolean => text === '' || parseRecord(text) !== undefined;

/** "from 23 Nov, 11:00 to 12:00". */
function momentLabel(since: string, until: string | undefined): string {
  const words = (text: string): string => formatMoment(text, 'dayAndTime');
  const from = isSpan(since) ? '' : `From ${words(since)}`;
  return until === undefined ? from : `${from} until ${words(until)}`.trim();
}
