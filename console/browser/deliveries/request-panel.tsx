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
            Each attempt carries this body inside a JWT of its own: the receiver gets {'{"jwt": "…"}'} in its place.
          </p>
        )}
        <Json text={body} what="the body" />
      </Panel>
      <Panel title="Response">
        <p>
          The status is all that is kept. The body of an answer is discarded unread, so that nothing of the receiver’s
          ends up here: have the receiver log it.
        </p>
        <p>
          Look there for <code>X-Service-Delivery: {deliveryId}</code>, which is the same on every attempt.
        </p>
      </Panel>
    </>
  );
}
