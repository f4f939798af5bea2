import type { ReactNode } from 'react';
import { Json } from '../design/code';
import { Empty, Panel } from '../design/panel';
import type { WebhookEvent } from './events';

/** A preview of the call for the event. */
export function EventPreview({ event }: { readonly event: WebhookEvent | undefined }): ReactNode {
  if (event === undefined)
    return (
      <Panel title="What is sent" isFlush>
        <Empty title="Choose an event to see the body of its calls." />
      </Panel>
    );
  return (
    <Panel title={`What ${event.name} sends`}>
      <p>{event.description}</p>
      <p className="meta">
        A sample with every possible member
        {event.extraMembers.length === 0 ? '' : `; of this event: ${event.extraMembers.join(', ')}`}.
      </p>
      <Json text={event.sampleBody} what="the sample body" />
    </Panel>
  );
}
