import type { ReactNode } from 'react';
import { Button } from '../design/button';
import { Json } from '../design/code';
import { Facts, Panel } from '../design/panel';
import { copyCurl } from './delivery-actions';
import type { Delivery } from './document';

/** The request, and the response's status, which is all that is stored of it. */
export function RequestPanel({
  request,
  deliveryId,
}: {
  readonly request: NonNullable<Delivery['request']>;
  readonly deliveryId: string;
}): ReactNode {
  const { method, uri, headers, signed, body } = request;
  return (
    <>
      <Panel title="Request" actions={<Button onPress={() => copyCurl({ request })}>Copy as curl</Button>}>
        <p>
          <code>
            {method} {uri}
          </code>
        </p>
        <Facts facts={headers.map(({ name, value }) => [name, <code key={name}>{value}</code>])} />
        {signed && (
          <p className="muted">
            Each attempt sends this body inside a new JWT: the receiver gets {'{"jwt": "…"}'} instead.
          </p>
        )}
        <Json text={body} what="the body" />
      </Panel>
      <Panel title="Response">
        <p>Only the status is kept. Response bodies are discarded unread: log them at the receiver.</p>
        <p>
          Search its log for <code>X-Service-Delivery: {deliveryId}</code>, which is the same on every attempt.
        </p>
      </Panel>
    </>
  );
}
