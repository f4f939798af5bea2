import './signing.css';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { numberOf } from '../api/number';
import { Code } from '../design/code';
import { Select } from '../design/select';
import { Panel } from '../design/panel';
import type { PolicyInUse } from './documents';
import { isShared } from './keys';
import { languages, receiver } from './receivers';
import type { Language } from './receivers';

/** Sample code of a receiver for one of the policy's webhooks, with its values filled in. */
export function ReceiverPanel({ policy, webhooks }: PolicyInUse): ReactNode {
  const [language, setLanguage] = useState<Language>('node');
  const [chosen, setChosen] = useState<string>();
  const webhook = webhooks.find(({ id }) => id === chosen) ?? webhooks[0];
  const hasDiscovery = webhook?.openidConnectDiscovery ?? !isShared(policy);
  const code = receiver(language, {
    algorithm: String(policy.jwtAlg).toUpperCase(),
    issuer: hasDiscovery && policy.issuer !== null ? policy.issuer : policy.accountIssuer,
    audience: policy.jwtAudience,
    webhook: webhook ? numberOf(webhook.id) : 'the number of your webhook',
    jwks: policy.issuer === null ? null : `${policy.issuer}/jwks`,
  });
  return (
    <Panel title="Sample receiver">
      <div className="filters">
        <Select
          label="Language"
          value={language}
          onChange={setLanguage}
          options={languages.map(({ id, label }) => ({ value: id, label }))}
        />
        {webhooks.length > 1 && (
          <Select
            label="For webhook"
            value={webhook?.id ?? ''}
            onChange={setChosen}
            options={webhooks.map(({ id, name, event }) => ({
              value: id,
              label: name,
              note: `${numberOf(id)} · ${String(event)}`,
            }))}
          />
        )}
      </div>
      <p className="field-help">
        {webhook
          ? `With the issuer, audience and number of ${webhook.name}.`
          : 'No webhook uses this policy yet. Fill in the number of yours.'}
        {isShared(policy) && ' Set WEBHOOK_SECRET to the shared secret.'}
      </p>
      <Code what="the receiver" text={code} />
    </Panel>
  );
}
