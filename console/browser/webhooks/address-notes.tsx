import type { ReactNode } from 'react';
import { Banner } from '../design/panel';
import type { Known } from './documents';
import { texts } from './texts';

/** The consequences of an address: deliveries pause until verification, it is active at once, or it is a duplicate. */
export function AddressNotes({
  values: { event, uri },
  known,
  webhook,
}: {
  readonly values: { readonly event: string; readonly uri: string };
  readonly known: Known;
  readonly webhook: NonNullable<Known['webhook']> | undefined;
}): ReactNode {
  if (uri === '') return null;
  if (webhook !== undefined)
    return uri !== webhook.uri && webhook.state === 'active' ? (
      <Banner tone="warn" title={texts.form.stops}>
        <p>{texts.form.stopsMore}</p>
      </Banner>
    ) : null;
  const sameAddress = (known.webhooks?.nodes ?? []).filter((other) => other.uri === uri);
  const twin = sameAddress.find((other) => other.event === event);
  if (twin !== undefined)
    return (
      <Banner tone="warn" title={`${twin.name} already calls this address for ${event}.`}>
        <p>Both would call it each time.</p>
      </Banner>
    );
  const verified = sameAddress.find(({ state }) => state === 'active');
  return verified === undefined ? null : (
    <Banner tone="good" title="It will be active at once.">
      <p>The address is already verified for {verified.name}.</p>
    </Banner>
  );
}
