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

/** The events of one type of record, as choices. */
export interface EventGroup {
  readonly title: string;
  readonly options: readonly Option[];
}

/** What a webhook can be for; the same as long as the page is open. */
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
    title: titleOf(type),
    options: events
      .filter(({ recordType }) => recordType === type)
      .map(({ name, description }) => ({ value: name, label: name, note: description })),
  }));
}

/** "ServiceLevelAgreement" is "Service level agreement". */
const titleOf = (type: string): string => type.replace(/(?!^)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
