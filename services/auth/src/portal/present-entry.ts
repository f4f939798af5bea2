import type { AuditFact, AuditRecord } from '../security/audit-entry';
import { auditEvents } from '../security/audit-event';

/** An entry in words, for a page. */
export interface SecurityLogRow {
  readonly title: string;
  readonly alert: boolean;
  /** ISO 8601, for machines. */
  readonly at: string;
  readonly when: string;
  /** What it was about: application, person, facts. */
  readonly about: string;
  /** Who did it, and from where. */
  readonly by: string;
  readonly requestId: string | null;
}

const times = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** `reader` is the person who looks at it; they are "you". */
export function presentEntry(entry: AuditRecord, reader: { readonly id: number }): SecurityLogRow {
  const { title, alert } = auditEvents[entry.event];
  const nameOf = (person: AuditRecord['person'], me: string): string | undefined => {
    if (!person) return undefined;
    return person.id === reader.id ? me : (person.name ?? `person ${person.id}`);
  };
  const { application, person, actor, facts, ip, userAgent } = entry;
  const concerned = person?.id === actor?.id || person?.id === reader.id ? undefined : nameOf(person, 'you');
  const by = nameOf(actor, 'you');
  return {
    title,
    alert,
    at: entry.at.toISOString(),
    when: `${times.format(entry.at)} UTC`,
    about: join([application && (application.name ?? `application ${application.id}`), concerned, ...inWords(facts)]),
    by: join([by ? `by ${by}` : entry.requestId === null && 'by the installation', ip && `from ${ip}`, userAgent]),
    requestId: entry.requestId,
  };
}

function inWords(facts: AuditRecord['facts']): string[] {
  return Object.entries(facts).map(([name, value]) => {
    if (name === 'because' || name === 'name') return text(value);
    if (name === 'members') return `changed: ${text(value)}`;
    return `${name.replaceAll('_', ' ')}: ${text(value)}`;
  });
}

const text = (value: AuditFact): string => (typeof value === 'object' ? value.join(', ') : String(value));
const join = (parts: readonly (string | false | null | undefined)[]): string => parts.filter(Boolean).join(' · ');
