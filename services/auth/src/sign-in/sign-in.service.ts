import { createFairSlots } from '@itsm/shared/base/concurrency/fair-slots';
import { AppError } from '@itsm/shared/base/errors/app-error';
import { networkRefusalHeader } from '@itsm/shared/api/http/network-refusal';
import { digestOf } from '@itsm/shared/base/ids/opaque-token';
import { networkOf } from '@itsm/shared/base/ids/network';
import type { Logger } from '@itsm/shared/observing/logs/logger';
import type { Clock } from '@itsm/shared/base/time/clock';
import type { AccountRepository } from '../directory/account.repository';
import { hashesAtOnce } from '../directory/password';
import type { Passwords } from '../directory/password';
import { emailKeyOf } from '../directory/person';
import type { Person } from '../directory/person';
import type { PersonRepository } from '../directory/person.repository';
import type { FactorService } from '../factors/factor.service';
import type { Attempts } from '../security/attempts';
import type { Audit } from '../security/audit.service';
import { providerSessionMilliseconds } from '../sessions/session';
import type { SessionService } from '../sessions/session.service';
import { createAttemptEntries } from './attempt-entries';
import { createFindCandidates, isAble } from './candidates';
import type { Candidate, Candidates } from './candidates';
import type { Choosable } from './choices';
import { createEarlyRefusals } from './early-refusals';
import type { Recognized } from './early-refusals';

/** A sign-in attempt. With `accountId`, people of that account and its directory account come first, then those of any account. */
export interface SignInAttempt extends Recognized {
  readonly password: string;
  /** The name of the browser if this person has signed in with it before. */
  readonly knownBrowserOf: (person: Person) => string | undefined;
  /** The browser's present session id. */
  readonly cookie: string | undefined;
}

/** How the person has authenticated. */
export interface How {
  /** For the log: `password`, `passkey` or the name of a provider, plus the second factor. */
  readonly shown: string;
  /** Whether it began at a provider; such sessions are shorter. */
  readonly atProvider: boolean;
  /** Whether a second factor was among it. */
  readonly provedFactor?: boolean;
}

/** Signed in: a session has begun. */
export interface SignedIn {
  readonly kind: 'signed in';
  readonly sessionId: string;
  readonly person: Person;
}

/** The first factor was right; the second factor is required. */
export interface SecondStep extends How {
  readonly kind: 'second step';
  readonly person: Person;
}

export type SignInOutcome =
  | SignedIn
  | SecondStep
  /** The password is right for several people, such as one human being with several accounts, who must choose one. */
  | { readonly kind: 'choice'; readonly among: readonly Candidate[] }
  | { readonly kind: 'refused' }
  | { readonly kind: 'throttled'; readonly seconds: number; readonly which: 'network' | 'address' | 'some' };

/** `which`: throttled are all attempts of the network, all with this e-mail address, or some of the candidates. */
type Throttled = Extract<SignInOutcome, { kind: 'throttled' }>;

type Checked =
  | Throttled
  /** `matches`: people whose password was right, but who are disabled or whose accounts are. */
  | { readonly kind: 'refused'; readonly matches: readonly Person[] }
  | { readonly kind: 'right'; readonly among: readonly Candidate[] };

interface Dependencies {
  readonly people: PersonRepository;
  readonly accounts: AccountRepository;
  readonly passwords: Passwords;
  readonly sessions: SessionService;
  readonly factors: Pick<FactorService, 'has'>;
  readonly attempts: Attempts;
  readonly audit: Audit;
  readonly logger: Logger;
  readonly now: Clock;
}

export interface SignInService {
  /** Continues after the first factor (password or provider): begins the session, or asks for the second factor if the person has one. */
  enter(person: Person, cookie: string | undefined, how: How): Promise<SignedIn | SecondStep>;
  /** Begins the session after all factors. */
  complete(person: Person, cookie: string | undefined, how: How): Promise<SignedIn>;
  /**
   * Unknown person, wrong password and disabled person give the same answer after the same time. An attempt that still waits
   * when `departure` aborts, because the client has disconnected, is not made.
   */
  signIn(attempt: SignInAttempt, departure: AbortSignal): Promise<SignInOutcome>;
  /**
   * Throws before the body or the store is read: when the network is throttled, or when the queue is full and the
   * browser is not a known one.
   */
  refuseNetwork(ip: string, knownBrowser: string | undefined): void;
  /** Throws when the attempt was throttled before and must still wait. */
  refuseAgain(attempt: Recognized): void;
  /** Signs in the chosen person; refused if the password has changed since. */
  choose(chosen: Choosable, cookie: string | undefined): Promise<Exclude<SignInOutcome, { kind: 'choice' }>>;
}

export function createSignInService(dependencies: Dependencies): SignInService {
  const { people, accounts, passwords, sessions, factors, attempts, audit, logger, now } = dependencies;
  const findCandidates = createFindCandidates({ people, accounts });
  const entries = createAttemptEntries(audit, now);
  const early = createEarlyRefusals(now);

  async function complete(person: Person, cookie: string | undefined, how: How): Promise<SignedIn> {
    const { shown, atProvider, provedFactor = false } = how;
    logger.info('signed in', { accountId: person.accountId, personId: person.id, with: shown });
    await entries.succeeded(person, shown === 'password' ? {} : { with: shown });
    const expiry = atProvider ? { expiresAt: new Date(now().getTime() + providerSessionMilliseconds) } : {};
    const sessionId = await sessions.begin(person.accountId, person, cookie, { ...expiry, provedFactor });
    return { kind: 'signed in', sessionId, person };
  }

  async function enter(person: Person, cookie: string | undefined, how: How) {
    const isMoreAsked = await factors.has(person.accountId, person.id);
    return isMoreAsked ? ({ kind: 'second step', person, ...how } as const) : complete(person, cookie, how);
  }

  /**
   * Compares the password with that of one candidate. Without a candidate it takes the same time. Failures are counted for each
   * person, so that attempts on a person with the same address do not matter.
   */
  async function compare(candidate: Candidate | undefined, attempt: SignInAttempt) {
    const keys = keysOf(candidate?.person, attempt);
    // Counted as a failure before the check, so that concurrent attempts are counted too.
    const seconds =
      (await attempts.secondsLeft(keys.anywhere)) || (await attempts.countOrWait(keys.here, keys.kinds.here));
    if (seconds > 0) return { kind: 'throttled', seconds } as const;
    const matches = await passwords.verify(attempt.password, candidate?.person.password ?? null);
    if (matches && candidate?.isAble) await attempts.forget(keys.here);
    else await attempts.countOrWait(keys.anywhere, keys.kinds.anywhere);
    return { kind: 'compared', matches } as const;
  }

  /** Compares one group after the other, until the password is right for a person in it. */
  async function checkGroups(groups: Candidates['groups'], attempt: SignInAttempt): Promise<Checked> {
    const waits: number[] = [];
    const matches: Candidate[] = [];
    for (const group of groups) {
      for (const candidate of group) {
        const compared = await compare(candidate, attempt);
        if (compared.kind === 'throttled') waits.push(compared.seconds);
        else if (candidate && compared.matches) matches.push(candidate);
      }
      const among = matches.filter(({ isAble }) => isAble);
      if (among.length > 0) return { kind: 'right', among };
    }
    const which = waits.length === groups.flat().length ? 'address' : 'some';
    if (waits.length > 0) return { kind: 'throttled', seconds: Math.min(...waits), which };
    return { kind: 'refused', matches: matches.map(({ person }) => person) };
  }

  async function check(attempt: SignInAttempt, { groups }: Candidates): Promise<Checked> {
    const address = `address ${networkOf(attempt.ip)}`;
    const seconds = (await attempts.secondsLeft(address)) ?? 0;
    if (seconds > 0) return { kind: 'throttled', seconds, which: 'network' };
    const checked = await checkGroups(groups, attempt);
    if (checked.kind === 'refused') await attempts.countOrWait(address, 'address');
    return checked;
  }

  // As few attempts at once as hashes, so that a waiting attempt already sees the failures of earlier ones. Networks
  // and known browsers take turns (fair queueing): a flood from some delays the others by at most one attempt of each.
  const slots = createFairSlots({ limit: hashesAtOnce, perOwner: 1, mostWaiting: 40, mostWaitingOverall, crowded });

  /** The queue length: as many as can be compared within `waitSeconds`. A quarter is reserved for known browsers. */
  function mostWaitingOverall(owner: string): number {
    const all = Math.min(mostEver, Math.max(leastWaiting, passwords.hashesIn(waitSeconds * 1_000)));
    return owner.startsWith(inKnownBrowser) ? all : Math.ceil((all * 3) / 4);
  }

  function remember(attempt: SignInAttempt, { which, seconds }: Throttled): void {
    if (which === 'network') early.rememberNetwork(attempt.ip, seconds);
    if (which === 'address') early.remember(attempt, seconds);
  }

  function refuse(ip: string, seconds: number, isOfNetwork: boolean): void {
    if (seconds === 0) return;
    logger.info('sign-in throttled', { ip, seconds });
    throw tooEarly(seconds, isOfNetwork);
  }

  return {
    enter,
    complete,
    refuseNetwork(ip, knownBrowser) {
      refuse(ip, early.secondsOfNetwork(ip), true);
      if (knownBrowser === undefined && slots.isCrowdedFor(networkOf(ip))) throw crowded('early');
    },
    refuseAgain: (attempt) => refuse(attempt.ip, early.secondsOf(attempt), false),
    async signIn(attempt, departure) {
      const candidates = await findCandidates(attempt);
      const { all } = candidates;
      const known = all.find(({ person }) => attempt.knownBrowserOf(person) !== undefined);
      const owner = known ? `${inKnownBrowser} ${known.person.id}` : networkOf(attempt.ip);
      // The weight of the attempt: one hash per candidate.
      const checked = await slots.run(owner, () => check(attempt, candidates), departure, Math.max(1, all.length));
      if (checked.kind === 'throttled') {
        logger.info('sign-in throttled', { ip: attempt.ip, seconds: checked.seconds });
        remember(attempt, checked);
        await entries.throttled(attempt, all);
        return checked;
      }
      if (checked.kind === 'refused') {
        logger.info('sign-in refused', { ip: attempt.ip, personIds: all.map(({ person }) => person.id) });
        await entries.failed(attempt, all, checked.matches);
        return { kind: 'refused' };
      }
      const [only, ...others] = checked.among;
      return only && others.length === 0
        ? enter(only.person, attempt.cookie, byPassword)
        : { kind: 'choice', among: checked.among };
    },
    async choose({ accountId, id, passwordSalt }, cookie) {
      const [person, account] = await Promise.all([people.find(accountId, id), accounts.find(accountId)]);
      const isRight = person && isAble(person, account) && person.password?.salt === passwordSalt;
      return isRight ? enter(person, cookie, byPassword) : { kind: 'refused' };
    },
  };
}

const byPassword: How = { shown: 'password', atProvider: false };

/** The longest wait in the queue; an attempt that would wait longer is refused at once. */
const waitSeconds = 3;
/** The least queue length, however slow hashes are. */
const leastWaiting = 8;
const mostEver = 500;
const inKnownBrowser = 'person';

/** How long the gateway may refuse attempts of the network without asking again. */
const crowdedSeconds = 1;

/** The refusal when the queue is full; `early` applies to every attempt of the network. */
const crowded = (when?: 'early' | 'owner' | 'all'): Error =>
  new AppError('too_many_calls', 'Too many sign-ins at once. Please try again in a moment.', {
    headers: {
      'Retry-After': String(waitSeconds),
      ...(when === 'early' && { [networkRefusalHeader]: String(crowdedSeconds) }),
    },
  });

const tooEarly = (seconds: number, isOfNetwork: boolean): Error =>
  new AppError('too_many_requests', throttledText(seconds), {
    headers: { 'Retry-After': String(seconds), ...(isOfNetwork && { [networkRefusalHeader]: String(seconds) }) },
  });

/** The text for people who must wait. */
export function throttledText(seconds: number): string {
  const wait =
    seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return `Too many attempts. Please try again in ${wait}.`;
}

/** The throttle keys of an attempt. A known browser has its own key, so that others cannot throttle it. */
function keysOf(person: Person | undefined, { email, ip, knownBrowserOf }: SignInAttempt) {
  // As a digest, since people also type passwords into the wrong field.
  const name = person ? String(person.id) : `nobody ${digestOf(emailKeyOf(email))}`;
  const knownBrowser = person && knownBrowserOf(person);
  return {
    here: `person ${name} ${knownBrowser ?? networkOf(ip)}`,
    anywhere: `anywhere ${name} ${knownBrowser ?? ''}`,
    kinds: { here: knownBrowser ? 'person' : 'here', anywhere: person ? 'anywhere' : 'nobody' },
  } as const;
}
