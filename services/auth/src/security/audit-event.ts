/**
 * How an event is handled. `vital`: the request waits until the entry is durable, and fails when it cannot be stored;
 * other entries are then only logged. `alert`: a sign of theft, shown as such.
 */
interface Treatment {
  readonly title: string;
  readonly vital: boolean;
  readonly alert: boolean;
}

const vital = (title: string): Treatment => ({ title, vital: true, alert: false });
const noted = (title: string): Treatment => ({ title, vital: false, alert: false });
const alert = (title: string): Treatment => ({ title, vital: false, alert: true });

/** All events of the security log, with their texts for people. */
export const auditEvents = {
  'authorization.granted': vital('Application authorized'),
  'authorization.denied': noted('Authorization denied'),
  'authorization.revoked': vital('Authorization revoked'),
  'code.replayed': alert('Authorization code used twice'),
  'refresh.reused': alert('Refresh token used again after its replacement'),
  'token.exchanged': vital('Token exchanged'),
  'token.revoked': vital('Token revoked'),
  'client.failed': noted('Application failed to authenticate'),
  'sign_in.succeeded': noted('Signed in'),
  'sign_in.failed': noted('Sign-in failed'),
  'sign_in.throttled': noted('Sign-in slowed down after many attempts'),
  'sign_in.confirmed': noted('Signed in again for a change'),
  'second_factor.added': vital('Second factor added'),
  'second_factor.removed': vital('Second factor removed'),
  'second_factor.failed': noted('Second factor refused'),
  'recovery_codes.created': vital('Recovery codes created'),
  'recovery_code.used': vital('Recovery code used'),
  'session.ended': vital('Session ended'),
  'session.all_ended': vital('Signed out everywhere'),
  'personal_access_token.created': vital('Personal access token created'),
  'personal_access_token.revoked': vital('Personal access token revoked'),
  'application.created': vital('Application created'),
  'application.updated': vital('Application changed'),
  'application.scopes_changed': vital('Scopes of an application changed'),
  'application.disabled': vital('Application disabled'),
  'application.enabled': vital('Application enabled'),
  'application.deleted': vital('Application deleted'),
  'client_token.created': vital('Client token created'),
  'client_token.disabled': vital('Client token disabled'),
  'client_token.enabled': vital('Client token enabled'),
  'client_token.deleted': vital('Client token deleted'),
  'person.created': vital('Person created'),
  'person.updated': vital('Person changed'),
  'person.disabled': vital('Person disabled'),
  'person.enabled': vital('Person enabled'),
  'password.changed': vital('Password changed'),
  'person.link_asked': noted('Link to choose a password or verify an address requested'),
  'password.link_sent': noted('Link to choose a password sent'),
  'address.link_sent': noted('Link to verify an e-mail address sent'),
  'address.verified': vital('E-mail address verified'),
  'roles.offered': vital('Roles offered to somebody of a partner'),
  'roles.withdrawn': vital('Offer of roles withdrawn'),
  'roles.accepted': vital('Roles in the account of a partner accepted'),
  'roles.declined': noted('Roles in the account of a partner declined'),
  'account.created': vital('Account created'),
  'account.updated': vital('Account changed'),
  'account.disabled': vital('Account disabled'),
  'account.enabled': vital('Account enabled'),
  'sso_configuration.created': vital('SSO configuration created'),
  'sso_configuration.updated': vital('SSO configuration changed'),
} as const satisfies Record<string, Treatment>;

export type AuditEvent = keyof typeof auditEvents;

export const isAuditEvent = (text: string): text is AuditEvent => Object.hasOwn(auditEvents, text);

export const alertEvents: readonly AuditEvent[] = Object.keys(auditEvents)
  .filter(isAuditEvent)
  .filter((event) => auditEvents[event].alert);
