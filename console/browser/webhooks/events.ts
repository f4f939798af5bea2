import { nounOf } from '@itsm/shared/contracts/record-kinds';
import { useQuery } from '@tanstack/react-query';
import { graphql, run } from '../api/graphql';
import type { ResultOf } from '../api/graphql';
import type { Option } from '../design/select';
import { useAccount } from '../frame/account';

const webhookEvents = graphql(`
  query WebhookEvents {
    webhookEvents {
      name
      recordType
      description
      extraMembers
      sampleBody
    }
  }
`);

export type WebhookEvent = NonNullable<ResultOf<typeof webhookEvents>['webhookEvents']>[number];

/** The events of one record type, as options. */
export interface EventGroup {
  readonly title: string;
  readonly options: readonly Option[];
}

/** All events that webhooks can be registered for; loaded once per page. */
export function useEvents(): {
  readonly events: readonly WebhookEvent[];
  readonly groups: readonly EventGroup[];
  readonly isLoading: boolean;
} {
  const { account } = useAccount();
  const { data, isPending } = useQuery({
    queryKey: ['events', account],
    queryFn: ({ signal }) => run(webhookEvents, {}, account, signal),
    staleTime: Infinity,
  });
  const events = data?.data.webhookEvents ?? [];
  return { events, groups: groupsOf(events), isLoading: isPending };
}

function groupsOf(events: readonly WebhookEvent[]): readonly EventGroup[] {
  const types = [...new Set(events.map(({ recordType }) => recordType))];
  return types.map((type) => ({
    title: nounOf(type),
    options: events
      .filter(({ recordType }) => recordType === type)
      .map(({ name, description }) => ({ value: name, label: name, note: description })),
  }));
}
