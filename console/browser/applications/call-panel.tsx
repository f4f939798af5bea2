import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { config } from '../api/config';
import { Button, buttonClass } from '../design/button';
import { Code, CopyField } from '../design/code';
import { TextField } from '../design/field';
import { Select } from '../design/select';
import { Panel } from '../design/panel';
import { useAccount } from '../frame/account';
import { useSecrets } from '../frame/shown-once';
import {
  authorizeAddress,
  codeCall,
  exchangeCall,
  firstCall,
  newProof,
  readReturn,
  refreshCall,
  revokeCall,
  serviceCall,
} from './calls';
import type { Client, Proof } from './calls';
import type { Application } from './documents';
import { actsAlone, exchanges, takesPeople } from './form';

/** The application's calls with its own ids, in the order in which they are made. */
export function CallPanel({ application }: { readonly application: Application }): ReactNode {
  const secrets = useSecrets();
  const usable = application.tokens.filter(({ disabled }) => !disabled);
  const fresh = usable.findLast(({ clientId }) => secrets[clientId] !== undefined);
  const [chosen, setChosen] = useState<string>();
  const token = usable.find(({ clientId }) => clientId === chosen) ?? fresh ?? usable[0];
  if (!token || application.disabled)
    return (
      <Panel title="Try it">
        <p className="muted">
          {application.disabled
            ? 'A disabled application gets no tokens. Enable it first.'
            : 'The application needs a client token that is enabled.'}
        </p>
      </Panel>
    );
  const client = { clientId: token.clientId, secret: secrets[token.clientId] };
  return (
    <Panel title="Try it">
      {usable.length > 1 && (
        <Select
          label="Client"
          value={token.clientId}
          onChange={setChosen}
          options={usable.map(({ clientId, name }) => ({
            value: clientId,
            label: name ?? clientId,
            note: name === null ? undefined : clientId,
          }))}
        />
      )}
      {client.secret === undefined && (
        <p className="field-help">
          The secret was shown once. Set <code>CLIENT_SECRET</code> in your shell to run these calls.
        </p>
      )}
      <ol className="call-steps">
        {takesPeople(application) && <PeopleCalls application={application} client={client} />}
        {actsAlone(application) && (
          <Step title="Get a token">
            <Code what="the token call" text={serviceCall(client)} />
          </Step>
        )}
        {exchanges(application) && (
          <Step title="Exchange an identity token">
            <p className="field-help">
              <code>ID_TOKEN</code> is a fresh token of {application.ssoConfiguration?.name ?? 'the provider'} for{' '}
              <code>{application.audience}</code>; it works once.
            </p>
            <Code what="the exchange call" text={exchangeCall(client)} />
          </Step>
        )}
        <Rest application={application} client={client} />
      </ol>
    </Panel>
  );
}

function Step({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <li className="call-step">
      <h3>{title}</h3>
      {children}
    </li>
  );
}

interface Properties {
  readonly application: Application;
  readonly client: Client;
}

function PeopleCalls({ application, client }: Properties): ReactNode {
  const queries = useQueryClient();
  const key = ['proof', application.id];
  // Kept for the life of the page: the code of an earlier visit needs its own verifier.
  const proof = useQuery({ queryKey: key, queryFn: newProof, staleTime: Infinity, gcTime: Infinity }).data;
  if (!proof) return null;
  return (
    <PeopleSteps
      key={proof.verifier}
      application={application}
      client={client}
      proof={proof}
      onAnother={() => void queries.refetchQueries({ queryKey: key })}
    />
  );
}

function PeopleSteps({
  application,
  client,
  proof,
  onAnother,
}: Properties & { readonly proof: Proof; readonly onAnother: () => void }): ReactNode {
  const [redirect, setRedirect] = useState<string>();
  const [pasted, setPasted] = useState('');
  const redirectUri = application.redirectUris.find((uri) => uri === redirect) ?? application.redirectUris[0] ?? '';
  const address = authorizeAddress(client, redirectUri, proof);
  const returned = readReturn(pasted, proof.state);
  const isRefreshable = application.grantTypes.includes('refresh_token');
  const code = returned && 'code' in returned ? returned.code : undefined;
  return (
    <>
      <Step title="Send the person here">
        {application.redirectUris.length > 1 && (
          <Select
            label="Redirect URI"
            value={redirectUri}
            onChange={setRedirect}
            options={application.redirectUris.map((uri) => ({ value: uri, label: uri }))}
          />
        )}
        <Code what="the authorize address" text={address} isWrapped />
        <div className="row">
          <span className="field-label">Code verifier</span>
          <CopyField what="the code verifier" text={proof.verifier} />
        </div>
        <p className="field-help">
          Created in this browser. The address contains only its SHA-256 hash; the token call below sends the verifier.
        </p>
        <div className="form-actions">
          <a className={buttonClass('primary')} href={address} target="_blank" rel="noreferrer">
            Open
          </a>
          <Button onPress={onAnother}>New verifier</Button>
        </div>
      </Step>
      <Step title="Redeem the code">
        <TextField
          label="Address after the redirect"
          isCode
          value={pasted}
          onChange={setPasted}
          placeholder={`${redirectUri}?code=…`}
          error={returned && 'problem' in returned ? returned.problem : undefined}
          help={
            code === undefined
              ? 'Paste it to fill the code into the call. The code works once, for 10 minutes. The page need not load.'
              : 'The call below contains its code.'
          }
        />
        <Code
          what="the token call"
          text={codeCall(client, { redirectUri, verifier: proof.verifier, code, isRefreshable })}
        />
      </Step>
      {isRefreshable && (
        <Step title="Refresh it within two weeks">
          <Code what="the refresh call" text={refreshCall(client)} />
        </Step>
      )}
    </>
  );
}

function Rest({ application, client }: Properties): ReactNode {
  const { account } = useAccount();
  return (
    <>
      <Step title="Use it">
        <Code what="the first call" text={firstCall(account, application.scopes)} />
      </Step>
      <Step title="Revoke it">
        <Code what="the revocation" text={revokeCall(client, application.grantTypes.includes('refresh_token'))} />
        <p className="field-help">
          Libraries find all endpoints in{' '}
          <a href={`${config.baseUrl}/.well-known/oauth-authorization-server`}>the server metadata</a>.
        </p>
      </Step>
    </>
  );
}
