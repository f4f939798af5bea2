import './signing.css';
import { Check as Tick, Minus, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { numberOf } from '../api/number';
import { Button } from '../design/button';
import { Json } from '../design/code';
import { TextField } from '../design/field';
import { Form } from '../design/form';
import { Panel } from '../design/panel';
import { useAccount } from '../frame/account';
import type { PolicyInUse } from './documents';
import { isShared } from './keys';
import { publishedKeys } from './published-keys';
import { checkToken } from './token-check';
import type { Check, Verdict } from './token-check';

/** Verifies a pasted token as a receiver would, and shows which check fails. */
export function CheckPanel({ policy, webhooks, total }: PolicyInUse): ReactNode {
  const { account } = useAccount();
  const [text, setText] = useState('');
  const [secret, setSecret] = useState('');
  const [verdict, setVerdict] = useState<Verdict>();
  const [isBusy, setBusy] = useState(false);
  const isSecret = isShared(policy);
  const check = async (): Promise<void> => {
    if (isBusy || text.trim() === '') return;
    setBusy(true);
    const keys = isSecret ? [] : await publishedKeys(account, policy.name);
    const expected = {
      algorithm: String(policy.jwtAlg).toUpperCase(),
      audience: policy.jwtAudience,
      policyIssuer: policy.issuer,
      accountIssuer: policy.accountIssuer,
      webhooks: webhooks.map(({ id, name, openidConnectDiscovery }) => ({
        number: numberOf(id),
        name,
        hasDiscovery: openidConnectDiscovery,
      })),
      areAllWebhooks: webhooks.length >= total,
      keys,
      secret,
    };
    setVerdict(await checkToken(text, expected, new Date()));
    setBusy(false);
  };
  return (
    <Panel title="Check a token">
      <Form className="stack" onSend={() => void check()}>
        <TextField
          label="JWT or delivery body"
          rows={4}
          isCode
          value={text}
          onChange={(next) => {
            setText(next);
            setVerdict(undefined);
          }}
          help="Verified in this browser, never sent."
        />
        {isSecret && (
          <TextField
            label="Shared secret"
            type="password"
            isCode
            value={secret}
            onChange={(next) => {
              setSecret(next);
              setVerdict(undefined);
            }}
            help="It stays in this browser."
          />
        )}
        <div className="form-actions">
          <Button type="submit" isPending={isBusy} isDisabled={text.trim() === ''}>
            Check
          </Button>
        </div>
      </Form>
      {verdict && <Result verdict={verdict} />}
    </Panel>
  );
}

const icons = { passed: Tick, failed: X, open: Minus };
const words = { passed: 'passed', failed: 'failed', open: 'not checked' };

function Result({ verdict: { checks, claims } }: { readonly verdict: Verdict }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const failures = checks.filter(({ state }) => state === 'failed');
  const isOpen = checks.some(({ state }) => state === 'open');
  const title =
    failures.length > 0
      ? `A receiver would reject it: ${new Intl.ListFormat('en').format(failures.map(({ name }) => name.toLowerCase()))}.`
      : isOpen
        ? 'No check has failed so far.'
        : 'A receiver would accept it: all checks passed.';
  return (
    <div className="stack check-result" ref={box} tabIndex={-1} role="group" aria-label={title}>
      <h3>{title}</h3>
      <ol className="token-checks">
        {checks.map((check) => (
          <CheckLine key={check.name} check={check} />
        ))}
      </ol>
      {claims && (
        <details>
          <summary>Claims</summary>
          <Json what="the claims" text={JSON.stringify(claims)} />
        </details>
      )}
    </div>
  );
}

function CheckLine({ check: { name, state, fact } }: { readonly check: Check }): ReactNode {
  const Icon = icons[state];
  return (
    <li className={`check-line check-${state}`}>
      <Icon aria-hidden size={16} strokeWidth={2.25} />
      <strong>{name}</strong>
      <span className="visually-hidden">{words[state]}:</span>
      <span>{fact}</span>
    </li>
  );
}
