import { parseTime } from '@itsm/shared/base/time/time-text';
import type { Connection } from '@itsm/shared/api/graphql/connections';
import type { AuditFact, AuditRecord } from '../security/audit-entry';
import { auditEvents } from '../security/audit-event';
import { navigation } from '../sessions/page';
import { momentOf, showTo } from '../sessions/moments';
import type { Person } from '../directory/person';

/** The list of entries, newest first; for a template with `log` in its data. */
const securityLogRows = /* html */ `<% if (it.log.rows.length === 0) { %><p class="empty">Nothing has been recorded<% if (it.log.filtered) { %> of this kind<% } %>.</p><% } else { %>
<ol class="log">
<% it.log.rows.forEach((row) => { %><li<% if (row.alert) { %> class="alert"<% } %>>
<p class="what"><% if (row.alert) { %><span class="badge">Alert</span> <% } %><strong><%= row.title %></strong></p>
<% if (row.about) { %><p class="small"><%= row.about %></p><% } %>
<p class="muted small">${momentOf('row.at')}<% if (row.by) { %> · <%= row.by %><% } %><% if (it.log.references && row.requestId) { %> · reference <%= row.requestId %><% } %></p>
</li><% }) %>
</ol><% } %>
<% if (it.log.newest || it.log.older) { %><nav class="pager" aria-label="Pages of the security log">
<% if (it.log.newest) { %><a href="<%= it.log.newest %>">Newest</a><% } %>
<% if (it.log.older) { %><a href="<%= it.log.older %>" rel="next">Older</a><% } %>
</nav><% } %>`;

/** Alerts at the top of the profile. */
export const alertNotice = /* html */ `<% if (it.alerts.length > 0) { %><div class="notice bad" role="alert">
<p><strong>A code or token of yours was used twice.</strong> Somebody may have copied it. The tokens that were issued from it are revoked.</p>
<ul><% it.alerts.forEach((row) => { %><li><%= row.title %> · <%= row.about %> · ${momentOf('row.at')}</li><% }) %></ul>
<p>Unless it was a fault of the application, revoke its authorization below and tell your administrator. <a href="#security-log">See the security log</a></p>
</div><% } %>`;

/** The section of the profile. */
export const securityLogSection = /* html */ `<section class="card" aria-labelledby="security-log">
<h2 id="security-log">Security log</h2>
<p class="muted">Sign-ins, authorizations and changes to your access in the last year.<% if (it.accountLog) { %> <a href="<%= it.accountLog %>">Security log of the account</a><% } %></p>
${securityLogRows}
</section>`;

/** The administrators' page. */
export const accountLogTemplate = /* html */ `<main>
${navigation}
<section class="card" aria-labelledby="security-log">
<h1 id="security-log">Security log</h1>
<p class="muted">Sign-ins, authorizations and changes to access in <strong><%= it.accountName %></strong> in the last year.</p>
<form class="filter" method="get" action="/oauth/administration/security-log">
<% if (it.account) { %><input type="hidden" name="account" value="<%= it.account %>"><% } %>
<div class="field"><label for="event">Show</label>
<select id="event" name="event">
<option value="">Everything</option>
<option value="alerts"<% if (it.event === 'alerts') { %> selected<% } %>>Alerts only</option>
<% it.events.forEach(({ event, title }) => { %><option value="<%= event %>"<% if (it.event === event) { %> selected<% } %>><%= title %></option><% }) %>
</select></div>
<button>Filter</button>
</form>
${securityLogRows}
</section>
</main>
`;

interface Place {
  readonly address: string;
  readonly query: Readonly<Record<string, string>>;
  /** The cursor of this page of the log; undefined for the first page. */
  readonly cursor: string | undefined;
}

/** A page of the log for the templates, with links to the previous and next page. */
export function toLogPage(page: Connection<AuditRecord>, reader: Reader, place: Place) {
  const { nodes, pageInfo } = page;
  const link = (more: Record<string, string>): string => {
    const query = new URLSearchParams({ ...place.query, ...more }).toString();
    return `${place.address}${query === '' ? '' : `?${query}`}#security-log`;
  };
  return {
    rows: nodes.map((entry) => presentEntry(entry, reader)),
    filtered: Object.hasOwn(place.query, 'event'),
    newest: place.cursor === undefined ? undefined : link({}),
    older: pageInfo.hasNextPage && pageInfo.endCursor !== null ? link({ log: pageInfo.endCursor }) : undefined,
  };
}

/** An entry in words, for a page. */
export interface SecurityLogRow {
  readonly title: string;
  readonly alert: boolean;
  readonly at: Date;
  /** The subject: application, person, facts. */
  readonly about: string;
  /** The actor and the origin. */
  readonly by: string;
  readonly requestId: string | null;
}

type Reader = Pick<Person, 'id' | 'locale' | 'timeZone'>;

/** Presents an entry; `reader`, the viewing person, is called "you". */
export function presentEntry(entry: AuditRecord, reader: Reader): SecurityLogRow {
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
    at: entry.at,
    about: join([
      application && (application.name ?? `application ${application.id}`),
      concerned,
      ...inWords(facts, reader),
    ]),
    by: join([by ? `by ${by}` : entry.requestId === null && 'by the installation', ip && `from ${ip}`, userAgent]),
    requestId: entry.requestId,
  };
}

function inWords(facts: AuditRecord['facts'], reader: Reader): string[] {
  const text = (value: AuditFact): string => {
    if (typeof value === 'object') return value.join(', ');
    const written = String(value);
    const parsed = parseTime(written);
    return 'time' in parsed ? showTo(reader).moment(parsed.time) : written;
  };
  return Object.entries(facts).map(([name, value]) => {
    if (name === 'because' || name === 'name') return text(value);
    if (name === 'members') return `changed: ${text(value)}`;
    return `${name.replaceAll('_', ' ')}: ${text(value)}`;
  });
}

const join = (parts: readonly (string | false | null | undefined)[]): string => parts.filter(Boolean).join(' · ');
