import type { KeptMail } from '@itsm/shared/outbound/mail/mailbox';
import type { Resource } from '@itsm/shared/api/rest/resource';
import { presentTime } from '@itsm/shared/api/rest/timestamp';

const fields: Resource<KeptMail>['fields'] = {
  id: ({ id }) => id,
  to: ({ to }) => to,
  subject: ({ subject }) => subject,
  text: ({ text }) => text,
  created_at: ({ createdAt }) => presentTime(createdAt),
  sent_at: ({ sentAt }) => presentTime(sentAt),
};

/** How a mail about a webhook looks in REST; `sent_at` is null where there is no mail server. */
export const mailResource: Resource<KeptMail> = {
  fields,
  collectionFields: Object.keys(fields),
  sortable: { id: 'id', created_at: 'createdAt' },
};
