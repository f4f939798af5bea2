import { useState } from 'react';
import type { ReactNode } from 'react';
import { ComboBox } from '../design/combo-box';
import { Checkbox, ErrorSummary, TextField } from '../design/field';
import { Form, FormActions } from '../design/form';
import { ofNoField } from '../design/input-error';
import type { InputError } from '../design/input-error';
import { Select } from '../design/select';
import { failedCall } from '../frame/failed-call';
import { fieldErrors } from '../frame/field-errors';
import { AddressNotes } from './address-notes';
import type { Known } from './documents';
import { EventPreview } from './event-preview';
import { useEvents } from './events';
import { addressFault } from './form-values';
import type { Values } from './form-values';
import { texts } from './texts';

/** The labels of the fields, by the name in the API. */
const labels = {
  event: 'Event',
  uri: 'Address',
  name: 'Name',
  description: 'Description',
  webhookPolicyId: 'Signing policy',
  openidConnectDiscovery: 'OpenID Connect Discovery',
  mailExceptionsTo: 'Recipients of failure mails',
  source: 'Source',
  sourceID: 'Source ID',
} as const;

export type Refusals = readonly { readonly path: readonly string[] | null; readonly message: string }[];

export function Fields({
  values,
  onChange,
  known,
  webhook,
  verb,
  isPending,
  onSend,
  onCancel,
}: {
  readonly values: Values;
  readonly onChange: (values: Values) => void;
  readonly known: Known;
  /** Undefined for a new webhook. */
  readonly webhook?: NonNullable<Known['webhook']>;
  readonly verb: string;
  readonly isPending: boolean;
  /** Resolves with the platform's refusals. */
  readonly onSend: () => Promise<Refusals>;
  readonly onCancel: () => void;
}): ReactNode {
  const { events, groups, isLoading } = useEvents();
  const [errors, setErrors] = useState<readonly InputError[]>([]);
  const [isUnfolded, setUnfolded] = useState(webhook !== undefined);
  const errorOf = (path: string): string | undefined => errors.find((error) => error.path === path)?.message;
  const set = <Name extends keyof Values>(name: Name, value: Values[Name]): void => {
    setErrors((before) => before.filter(({ path }) => path !== name));
    onChange({ ...values, [name]: value });
  };
  const show = (found: readonly InputError[]): void => {
    setErrors(found);
    // It stays open while somebody mends it: a field that is folded away under their hands loses the focus.
    if (found.some(({ path }) => !['event', 'uri', ofNoField].includes(path))) setUnfolded(true);
  };
  const send = async (): Promise<void> => {
    if (isPending) return;
    const missing = missingOf(values);
    if (missing.length > 0) {
      show(missing);
      return;
    }
    try {
      const refused = await onSend();
      show(fieldErrors(refused, labels));
    } catch (error) {
      show([failedCall(error)]);
    }
  };
  const hint = addressFault(values.uri);
  return (
    <div className="columns columns-even">
      <Form onSend={() => void send()}>
        <ErrorSummary errors={errors} title={webhook ? 'Not saved yet:' : 'Not registered yet:'} />
        <ComboBox
          label={labels.event}
          name="event"
          value={values.event}
          onChange={(value) => set('event', value)}
          groups={groups}
          isLoading={isLoading}
          placeholder="request.create"
          help="One event per webhook."
          error={errorOf('event')}
        />
        <TextField
          label={labels.uri}
          name="uri"
          type="url"
          inputMode="url"
          isCode
          value={values.uri}
          onChange={(value) => set('uri', value.trim())}
          placeholder="https://receiver.example/hook"
          help={hint ?? (values.uri.includes('***') ? texts.form.masked : texts.form.address)}
          error={errorOf('uri')}
        />
        <AddressNotes values={values} known={known} webhook={webhook} />
        <details
          className="disclosure-plain"
          open={isUnfolded}
          onToggle={(toggled) => setUnfolded(toggled.currentTarget.open)}
        >
          <summary>More: name, signing, mails</summary>
          <div className="form">
            <More values={values} set={set} errorOf={errorOf} known={known} />
          </div>
        </details>
        <FormActions verb={verb} isPending={isPending} onCancel={onCancel} />
      </Form>
      <EventPreview event={events.find(({ name }) => name === values.event)} />
    </div>
  );
}

function missingOf({ event, uri }: Values): readonly InputError[] {
  return [
    ...(event === '' ? [{ path: 'event', message: 'Choose an event.' }] : []),
    ...(uri === '' ? [{ path: 'uri', message: 'Enter the address of the receiver.' }] : []),
  ];
}

function More({
  values,
  set,
  errorOf,
  known,
}: {
  readonly values: Values;
  readonly set: <Name extends keyof Values>(name: Name, value: Values[Name]) => void;
  readonly errorOf: (path: string) => string | undefined;
  readonly known: Known;
}): ReactNode {
  const policies = known.webhookPolicies?.nodes ?? [];
  const policy = policies.find(({ id }) => id === values.webhookPolicyId);
  const mayBeFound = policy !== undefined && !policy.jwtAlg.startsWith('hs');
  const text = (name: 'name' | 'description' | 'mailExceptionsTo' | 'source' | 'sourceID') => ({
    name,
    value: values[name],
    onChange: (value: string) => set(name, value),
    error: errorOf(name),
    isOptional: true,
  });
  return (
    <>
      <TextField label={labels.name} {...text('name')} help="Defaults to the event." />
      <TextField label={labels.description} {...text('description')} rows={2} />
      <Select
        label={labels.webhookPolicyId}
        name="webhookPolicyId"
        value={values.webhookPolicyId}
        onChange={(value) => set('webhookPolicyId', value)}
        error={errorOf('webhookPolicyId')}
        help={texts.form.signing}
        options={[
          { value: '', label: 'None: calls are not signed' },
          ...policies
            .filter(({ id, disabled }) => !disabled || id === values.webhookPolicyId)
            .map(({ id, name, jwtAlg, disabled }) => ({
              value: id,
              label: name,
              note: disabled ? 'disabled' : jwtAlg.toUpperCase(),
            })),
        ]}
      />
      {(mayBeFound || values.openidConnectDiscovery) && (
        <Checkbox
          name="openidConnectDiscovery"
          isSelected={values.openidConnectDiscovery}
          onChange={(isSelected) => set('openidConnectDiscovery', isSelected)}
          note="By OpenID Connect Discovery, so new keys need no work."
          error={errorOf('openidConnectDiscovery')}
        >
          Let receivers discover the key
        </Checkbox>
      )}
      <TextField label={labels.mailExceptionsTo} {...text('mailExceptionsTo')} help={texts.form.mails} />
      <TextField label={labels.source} {...text('source')} help="The system that manages this webhook." />
      <TextField label={labels.sourceID} {...text('sourceID')} help="Its ID in that system." />
    </>
  );
}
