import type { Condition } from '@itsm/shared/api/rest/filter';
import type { SortValue } from '@itsm/shared/api/rest/resource';

interface ValuesFilter {
  readonly values: readonly (string | null)[];
  readonly negate?: boolean | null;
}

interface TimeFilter {
  readonly lessThan?: Date | null;
  readonly lessThanOrEqualTo?: Date | null;
  readonly greaterThan?: Date | null;
  readonly greaterThanOrEqualTo?: Date | null;
}

/** `WebhookDeliveryFilter`: all parts must hold. */
export interface FilterArgument {
  readonly webhook?: ValuesFilter | null;
  readonly state?: ValuesFilter | null;
  readonly event?: ValuesFilter | null;
  readonly createdAt?: TimeFilter | null;
}

export function toConditions(
  filter: FilterArgument | null | undefined,
  webhookIdOf: (text: string) => number,
): readonly Condition[] {
  const { webhook, state, event, createdAt } = filter ?? {};
  return [
    ...oneOf('webhookId', webhook, (text) => (text === null ? null : webhookIdOf(text))),
    ...oneOf('state', state, (text) => text),
    ...oneOf('event', event, (text) => text),
    ...(createdAt ? [{ property: 'createdAt', within: boundsOf(createdAt) }] : []),
  ];
}

function oneOf(
  property: string,
  filter: ValuesFilter | null | undefined,
  toValue: (text: string | null) => SortValue,
): Condition[] {
  if (!filter) return [];
  const values = filter.values.map(toValue);
  return [filter.negate ? { property, notIn: values } : { property, in: values }];
}

function boundsOf({ lessThan, lessThanOrEqualTo, greaterThan, greaterThanOrEqualTo }: TimeFilter) {
  return {
    ...(lessThan && { lt: lessThan }),
    ...(lessThanOrEqualTo && { lte: lessThanOrEqualTo }),
    ...(greaterThan && { gt: greaterThan }),
    ...(greaterThanOrEqualTo && { gte: greaterThanOrEqualTo }),
  };
}
