import { useState } from 'react';
import type { ReactNode } from 'react';
import type { TypeDescription } from '@itsm/shared/declared/description';
import { ComboBox } from '../design/combo-box';
import { Checkbox, ErrorSummary, TextField } from '../design/field';
import { Form, FormActions } from '../design/form';
import type { InputError } from '../design/input-error';
import { Select } from '../design/select';
import { failedCall } from '../frame/failed-call';
import { SettingFields } from '../parts/setting-fields';
import type { Control } from '../parts/setting-fields';
import { toErrors } from '../parts/settings';
import type { SettingForm } from '../parts/settings';
import { AddressNotes } from './address-notes';
import type { Known } from './documents';
import { EventPreview } from './event-preview';
import { useEvents } from './events';
import { addressFault } from './address-fault';
import { texts } from './texts';

export type Refusals = readonly { readonly path: readonly string[] | null; readonly message: string }[];

export function Fields({
  type,
  values,
  onChange,
  known,
  webhook,
  verb,
  isPending,
  onSend,
  onCancel,
}: {
  readonly type: TypeDescription;
  readonly values: SettingForm;
  readonly onChange: (values: SettingForm) => void;
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
  const set = (next: SettingForm): void => {
    setErrors((before) => before.filter(({ path }) => next[path] === values[path]));
    onChange(next);
  };
  const send = async (): Promise<void> => {
    if (isPending) return;
    const missing = missingOf(values);
    if (missing.length > 0) {
      setErrors(missing);
      return;
    }
    try {
      const refused = await onSend();
      setErrors(toErrors(type, refused, values));
    } catch (error) {
      setErrors([failedCall(error)]);
    }
  };
  const controls = {
    event: ({ value, isOptional: _, ...field }: Control) => (
      <ComboBox
        {...field}
        value={String(value)}
        groups={groups}
        isLoading={isLoading}
        placeholder="request.create"
        help="One event per webhook."
      />
    ),
    uri: (control: Control) => <Address control={control} values={values} known={known} webhook={webhook} />,
    webhookPolicyId: (control: Control) => <PolicyChoice control={control} known={known} />,
    openidConnectDiscovery: (control: Control) => <Discovery control={control} values={values} known={known} />,
  };
  return (
    <div className="columns columns-even">
      <Form onSend={() => void send()}>
        <ErrorSummary errors={errors} title={webhook ? 'Not saved yet:' : 'Not registered yet:'} />
        <SettingFields
          type={type}
          form={values}
          onChange={set}
          errors={errors}
          isNew={webhook === undefined}
          isUnfolded={webhook !== undefined}
          controls={controls}
        />
        <FormActions verb={verb} isPending={isPending} onCancel={onCancel} />
      </Form>
      <EventPreview event={events.find(({ name }) => name === values['event'])} />
    </div>
  );
}

function missingOf({ event, uri }: SettingForm): readonly InputError[] {
  return [
    ...(event === '' ? [{ path: 'event', message: 'Choose an event.' }] : []),
    ...(uri === '' ? [{ path: 'uri', message: 'Enter the address of the receiver.' }] : []),
  ];
}

interface Own {
  readonly control: Control;
  readonly known: Known;
}

function Address({
  control: { name, label, value, onChange, error },
  values,
  known,
  webhook,
}: Own & {
  readonly values: SettingForm;
  readonly webhook: NonNullable<Known['webhook']> | undefined;
}): ReactNode {
  const uri = String(value);
  return (
    <>
      <TextField
        label={label}
        name={name}
        type="url"
        inputMode="url"
        isCode
        value={uri}
        onChange={(next) => onChange(next.trim())}
        placeholder="https://receiver.example/hook"
        help={addressFault(uri) ?? (uri.includes('***') ? texts.form.masked : texts.form.address)}
        error={error}
      />
      <AddressNotes values={{ event: String(values['event']), uri }} known={known} webhook={webhook} />
    </>
  );
}

function PolicyChoice({ control: { value, isOptional: _, ...field }, known }: Own): ReactNode {
  return (
    <Select
      {...field}
      value={String(value)}
      options={[
        { value: '', label: 'None: calls are not signed' },
        ...(known.webhookPolicies?.nodes ?? [])
          .filter(({ id, disabled }) => !disabled || id === value)
          .map(({ id, name, jwtAlg, disabled }) => ({
            value: id,
            label: name,
            note: disabled ? 'disabled' : jwtAlg.toUpperCase(),
          })),
      ]}
    />
  );
}

/** Only the public keys of a policy can be found. */
function Discovery({
  control: { name, value, onChange, error },
  values,
  known,
}: Own & { readonly values: SettingForm }): ReactNode {
  const policy = known.webhookPolicies?.nodes.find(({ id }) => id === values['webhookPolicyId']);
  const mayBeFound = policy !== undefined && !policy.jwtAlg.startsWith('hs');
  if (!mayBeFound && value !== true) return null;
  return (
    <Checkbox
      name={name}
      isSelected={value === true}
      onChange={onChange}
      note="By OpenID Connect Discovery, so new keys need no work."
      error={error}
    >
      Let receivers discover the key
    </Checkbox>
  );
}
