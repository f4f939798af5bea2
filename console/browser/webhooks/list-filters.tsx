import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { graphql } from '../api/graphql';
import type { VariablesOf } from '../api/graphql';
import { idOf, numberOf } from '../api/number';
import { useDocument } from '../api/queries';
import { ComboBox } from '../design/combo-box';
import { TextField } from '../design/field';
import { Select } from '../design/select';
import { useAccount } from '../frame/account';
import { useDebounced } from '../frame/debounced';
import { useShortcuts } from '../frame/shortcuts';
import { healthOf } from '../parts/webhook-health';
import type { ListedWebhook, webhookList } from './documents';
import { useEvents } from './events';

const policyNames = graphql(`
  query PolicyNames {
    webhookPolicies(first: 100) {
      nodes {
        id
        name
      }
    }
  }
`);

type Filter = NonNullable<VariablesOf<typeof webhookList>['filter']>;

/** The search parameters of the list. */
export interface ListSearch {
  readonly state?: string;
  readonly event?: string;
  readonly q?: string;
  readonly policy?: string;
}

const states = [
  { value: '', label: 'All states' },
  { value: 'failing', label: 'Failing' },
  { value: 'unverified', label: 'Unverified' },
  { value: 'disabled', label: 'Disabled' },
  { value: 'active', label: 'Active, not failing' },
];

/** The filters that the platform applies; `sampleId` is any of its ids. */
export function filterOf({ state, event, policy }: ListSearch, sampleId: string): Filter {
  const ofPlatform = state === 'failing' ? 'active' : state;
  const isState = ofPlatform === 'active' || ofPlatform === 'unverified' || ofPlatform === 'disabled';
  return {
    ...(isState && { state: { values: [ofPlatform] } }),
    ...(event !== undefined && { event: { values: [event] } }),
    ...(policy !== undefined && {
      webhookPolicy: { values: [policy === 'none' ? null : idOf('WebhookPolicy', policy, sampleId)] },
    }),
  };
}

/** The filters that are applied in the browser. */
export function passes(webhook: ListedWebhook, { state, q }: ListSearch): boolean {
  const words = q?.toLowerCase().split(/\s+/) ?? [];
  const text = `${webhook.name} ${webhook.uri}`.toLowerCase();
  return words.every((word) => text.includes(word)) && (state === undefined || healthOf(webhook) === state);
}

const changed = (before: ListSearch, name: keyof ListSearch, value: string): ListSearch =>
  Object.fromEntries(Object.entries({ ...before, [name]: value }).filter(([, text]) => text !== ''));

export function ListFilters(): ReactNode {
  const { account } = useAccount();
  const search = useSearch({ from: '/accounts/$account/webhooks' });
  const navigate = useNavigate({ from: '/accounts/$account/webhooks' });
  const { groups, isLoading } = useEvents();
  const [words, setWords] = useState(search.q ?? '');
  const typed = useDebounced(words.trim(), 250);
  const [known, setKnown] = useState(search.q);
  if (search.q !== known) {
    // The address was changed from outside this field, for example by a button that clears it.
    setKnown(search.q);
    if ((search.q ?? '') !== typed) setWords(search.q ?? '');
  }
  const set = useCallback(
    (name: keyof ListSearch, value: string) =>
      void navigate({ search: (before) => changed(before, name, value), replace: true }),
    [navigate],
  );
  useEffect(() => set('q', typed), [typed, set]);
  useShortcuts({ '/': () => document.querySelector<HTMLElement>('.filters input')?.focus() });
  const policies = useDocument(policyNames, {}, account).data?.data.webhookPolicies?.nodes ?? [];
  return (
    <div className="filters" role="search">
      <TextField label="Name or address" value={words} onChange={setWords} type="search" />
      <Select label="State" value={search.state ?? ''} onChange={(value) => set('state', value)} options={states} />
      <ComboBox
        label="Event"
        value={search.event ?? ''}
        onChange={(value) => set('event', value)}
        groups={groups}
        isLoading={isLoading}
        placeholder="All events"
      />
      {(policies.length > 0 || search.policy !== undefined) && (
        <Select
          label="Signed by"
          value={search.policy ?? ''}
          onChange={(value) => set('policy', value)}
          options={[
            { value: '', label: 'Any or none' },
            { value: 'none', label: 'Not signed' },
            ...policies.map(({ id, name }) => ({ value: numberOf(id), label: name })),
          ]}
        />
      )}
    </div>
  );
}
