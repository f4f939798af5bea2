import { randomBytes } from 'node:crypto';
import { isStoreFull } from '@itsm/shared/base/errors/outage';
import type { Clock } from '@itsm/shared/base/time/clock';
import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import type { AccountRepository } from '../directory/account.repository';
import { vouchesFor } from '../directory/standing';
import type { Person } from '../directory/person';
import type { PersonRepository } from '../directory/person.repository';
import type { Origin } from '../security/audit-entry';
import type { Announce } from '../security/announce';
import type { Audit } from '../security/audit.service';
import { hasSamePassword, idleMilliseconds, saltOf, seenMilliseconds, sessionMilliseconds } from './session';
import type { Session, SignedIn, Visitor } from './session';
import type { SessionRepository } from './session.repository';

interface Dependencies {
  readonly sessions: SessionRepository;
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
  readonly announce: Announce;
  readonly audit: Audit;
  /** The origin (network, browser) of the present request. */
  readonly presentOrigin: () => Origin | undefined;
  readonly now: Clock;
}

/**
 * Sessions. Ending a session ends its tokens too. Throws a 503 when this cannot be announced to the gateways: the
 * session has ended, and their cached callers expire within a minute.
 */
export interface SessionService {
  /** Not signed in when the session has ended, the password was changed, or the person or the account was disabled. */
  identify(cookie: string | undefined): Promise<Visitor>;
  /**
   * Starts a session and returns its new id, so that a planted id is useless (session fixation). `how`:
   * authentication time and expiry; default: now, and the maximum. `provedFactor`: whether a second factor was proved.
   */
  begin(
    accountId: string,
    person: Person,
    former: string | undefined,
    how?: Partial<Pick<Session, 'authenticatedAt' | 'expiresAt' | 'provedFactor'>>,
  ): Promise<string>;
  end(cookie: string): Promise<void>;
  /** The person's open sessions, last seen first. */
  list(accountId: string, person: Person): Promise<Session[]>;
  /** Idempotent. */
  endOne(accountId: string, person: Person, digest: string): Promise<void>;
  /**
   * Ends all sessions of the person, including the present one. Every page reads the store, so this takes effect on all
   * replicas at once.
   */
  endAll(accountId: string, person: Person): Promise<void>;
  /** After the person has added the first second factor in this session: ends all others, in which nobody has proved it. */
  proveFirstFactor(signedIn: SignedIn): Promise<void>;
  /** Records that a second factor was proved in the session. */
  prove(signedIn: SignedIn): Promise<void>;
  /**
   * After the person has authenticated again: gives the session a new id, which is returned; its end does not change. Of
   * concurrent calls only one does so, the others get undefined.
   */
  renew(
    signedIn: SignedIn,
    provedFactor: boolean,
  ): Promise<{ readonly id: string; readonly signedIn: SignedIn } | undefined>;
  /** Records that the identity provider has authenticated the person. */
  vouch(signedIn: SignedIn): Promise<void>;
}

/** Most sessions in the list. */
const mostListed = 100;

export const newSessionId = (): string => randomBytes(32).toString('base64url');

export function createSessionService(dependencies: Dependencies): SessionService {
  const { sessions, people, accounts, announce, audit, presentOrigin, now } = dependencies;
  const isOver = (session: Session, at: Date): boolean =>
    session.expiresAt <= at || at.getTime() - session.lastSeenAt.getTime() >= idleMilliseconds;

  /** On a full store the page is shown all the same; only its visit is not noted. */
  async function noteSeen({ id, ip }: Session, at: Date): Promise<void> {
    try {
      await sessions.touch(id, { lastSeenAt: at, ip: presentOrigin()?.ip ?? ip });
    } catch (error) {
      if (!isStoreFull(error)) throw error;
    }
  }

  async function end(cookie: string): Promise<void> {
    const ended = await sessions.delete(digestOf(cookie));
    if (ended) await announce([ended.accountId], () => Promise.resolve());
  }

  async function endAll(accountId: string, person: Person, except?: string): Promise<void> {
    const count = await sessions.deleteAll(accountId, person.id, except);
    if (count === 0 && except !== undefined) return;
    const facts = { sessions: count };
    await announce([accountId], () => audit.record(accountId, { event: 'session.all_ended', person, facts }));
  }

  return {
    async identify(cookie: string | undefined): Promise<Visitor> {
      const session = cookie === undefined ? undefined : await sessions.find(digestOf(cookie));
      if (!session || isOver(session, now())) return { cookie, signedIn: undefined };
      const [person, account] = await Promise.all([
        people.find(session.accountId, session.personId),
        accounts.find(session.accountId),
      ]);
      if (!person || !hasSamePassword(person, session) || !vouchesFor(person, session.createdAt))
        return { cookie, signedIn: undefined };
      if (!account || !vouchesFor(account, session.createdAt)) return { cookie, signedIn: undefined };
      const at = now();
      if (at.getTime() - session.lastSeenAt.getTime() > seenMilliseconds) await noteSeen(session, at);
      const { id: sessionId, digest: sessionDigest, expiresAt, authenticatedAt, vouchedAt, provedFactor } = session;
      const known = { sessionId, sessionDigest, expiresAt, authenticatedAt, vouchedAt, provedFactor };
      return { cookie, signedIn: { ...known, person, account } };
    },
    async begin(
      accountId: string,
      person: Person,
      former: string | undefined,
      how: Partial<Pick<Session, 'authenticatedAt' | 'expiresAt' | 'provedFactor'>> = {},
    ): Promise<string> {
      const id = newSessionId();
      const digest = digestOf(id);
      const at = now();
      await sessions.insert({
        id: digest,
        digest,
        accountId,
        personId: person.id,
        passwordSalt: saltOf(person),
        createdAt: at,
        lastSeenAt: at,
        authenticatedAt: how.authenticatedAt ?? at,
        vouchedAt: null,
        provedFactor: how.provedFactor ?? false,
        browser: presentOrigin()?.userAgent ?? '',
        ip: presentOrigin()?.ip ?? null,
        expiresAt: how.expiresAt ?? new Date(at.getTime() + sessionMilliseconds),
      });
      if (former !== undefined) await end(former);
      return id;
    },
    end,
    async list(accountId: string, person: Person): Promise<Session[]> {
      const found = await sessions.list(accountId, person.id, mostListed);
      const at = now();
      return found.filter(
        (session) => !isOver(session, at) && hasSamePassword(person, session) && vouchesFor(person, session.createdAt),
      );
    },
    async endOne(accountId: string, person: Person, digest: string): Promise<void> {
      const isEnded = await sessions.deleteOf(accountId, person.id, digest);
      await announce([accountId], async () => {
        if (isEnded) await audit.record(accountId, { event: 'session.ended', person });
      });
    },
    endAll,
    prove: ({ sessionId }: SignedIn): Promise<void> => sessions.prove(sessionId),
    async proveFirstFactor({ sessionId, person }: SignedIn): Promise<void> {
      await sessions.prove(sessionId);
      await endAll(person.accountId, person, sessionId);
    },
    async renew(signedIn: SignedIn, provedFactor: boolean) {
      const id = newSessionId();
      const digest = digestOf(id);
      const authenticatedAt = now();
      if (!(await sessions.renew(signedIn.sessionDigest, digest, authenticatedAt, provedFactor))) return undefined;
      const renewed = { sessionDigest: digest, authenticatedAt, vouchedAt: null };
      return { id, signedIn: { ...signedIn, ...renewed, provedFactor: provedFactor || signedIn.provedFactor } };
    },
    vouch: ({ sessionId }: SignedIn): Promise<void> => sessions.vouch(sessionId, now()),
  };
}
