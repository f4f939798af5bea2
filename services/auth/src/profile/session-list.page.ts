import type { Session } from '../sessions/session';
import { hiddenFormToken } from '../sessions/form-token';
import { momentOf } from '../sessions/moments';

interface SessionRow {
  readonly id: string;
  readonly browser: string;
  readonly ip: string | null;
  readonly isThis: boolean;
  readonly since: Date;
  readonly lastSeen: Date;
}

/** A session for the page. It is identified by its digest, which does not reveal the session id. */
export const presentSession = (session: Session, present: string): SessionRow => ({
  id: session.digest,
  browser: session.browser === '' ? 'Unknown browser' : session.browser,
  ip: session.ip,
  isThis: session.digest === present,
  since: session.createdAt,
  lastSeen: session.lastSeenAt,
});

/** The list of the person's sessions, for a page that has `sessions` in its data. */
export const sessionListSection = /* html */ `<section class="card" aria-labelledby="sessions">
<h2 id="sessions">Where you are signed in</h2>
<p class="muted">If you do not recognize a session, end it and change your password.</p>
<ul class="rows">
<% it.sessions.forEach((row) => { %><li><div>
<h3><%= row.browser %></h3>
<p class="small"><% if (row.isThis) { %>This browser · <% } %><% if (row.ip) { %><% if (row.isThis) { %>seen<% } else { %>Seen<% } %> at <%= row.ip %><% } else { %><% if (row.isThis) { %>unknown<% } else { %>Unknown<% } %> address<% } %></p>
<p class="muted small">Since ${momentOf('row.since')} · last seen ${momentOf('row.lastSeen')}</p>
</div><% if (!row.isThis) { %><form method="post" action="/oauth/profile/sessions/<%= row.id %>/end">${hiddenFormToken}
<button class="danger">End<span class="visually-hidden"> the session of <%= row.browser %>, last seen ${momentOf('row.lastSeen')}</span></button></form><% } %></li><% }) %>
</ul>
<form class="after" method="post" action="/oauth/profile/sessions/end-all">${hiddenFormToken}
<p class="muted small">This ends all sessions at once, including this one. Authorized applications and personal access tokens keep working until you revoke them above.</p>
<button class="danger">Sign out everywhere</button></form>
</section>`;
