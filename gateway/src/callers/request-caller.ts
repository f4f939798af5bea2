import type { IncomingMessage } from 'node:http';
import { AppError, badRequest, challengeHeader, invalidToken, unauthorized } from '@itsm/shared/base/errors/app-error';
import { dpopRefused } from '@itsm/shared/api/identity/dpop-proof';
import { networkOf } from '@itsm/shared/base/ids/network';
import { kindOf } from '@itsm/shared/base/ids/opaque-token';
import { metadataAddressOf } from './resource-metadata.routes';
import { countOf, headerOf } from '../transport/peers';
import type { Peers } from '../transport/peers';

/** Refuses several `Authorization` headers as ambiguous (RFC 9110 §5.3); node would silently use the first. */
export function checkOneAuthorization(req: IncomingMessage): void {
  if (countOf(req, 'authorization') > 1) throw badRequest('More than one Authorization header');
}

/** The credentials of a caller: a token, with or without a DPoP proof (RFC 9449 §7). */
export interface Credentials {
  readonly token: string;
  /** The key under which its requests are counted until the token is known. */
  readonly network: () => string;
  readonly possession?: {
    /** The `DPoP` header; undefined without one. */
    readonly proof: string | undefined;
    readonly method: string;
    /** The public URL that the client requested. */
    readonly address: string;
  };
  /** The address of the metadata of the requested resource (RFC 9728 §3). */
  readonly metadata: () => string;
}

/** The refusal of a token that is not active; its challenge has the scheme of the request. */
export const inactiveToken = ({ possession }: Pick<Credentials, 'possession'>): AppError =>
  possession ? dpopRefused('invalid_token', 'The access token is unknown, expired or revoked') : invalidToken();

/** A challenge with the address of the metadata (RFC 9728 §5.1). */
export const withMetadata = (challenge: string, metadata: string): string =>
  `${challenge}${challenge.includes(' ') ? ',' : ''} resource_metadata="${metadata}"`;

/** The same error; a challenge in it gets the address of the metadata. */
export function challengedWith(metadata: () => string, error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const challenge = error.details.headers?.[challengeHeader];
  if (challenge === undefined) return error;
  const headers = { ...error.details.headers, [challengeHeader]: withMetadata(challenge, metadata()) };
  return new AppError(error.code, error.message, { ...error.details, headers });
}

/** The credentials of a request; 401 when there are none, or the token is not one of the platform. Does no I/O. */
export type CredentialsOf = (req: IncomingMessage) => Credentials;

export const createCredentialsOf =
  (addressOf: (req: IncomingMessage) => string, peers: Pick<Peers, 'clientAddress'>): CredentialsOf =>
  (req) => {
    checkOneAuthorization(req);
    const metadata = (): string => metadataAddressOf(addressOf(req));
    const [, scheme, token] = /^(Bearer|DPoP) +(\S+)$/i.exec(req.headers.authorization ?? '') ?? [];
    // Without a token the challenge names no error (RFC 6750 §3.1).
    if (token === undefined) throw challengedWith(metadata, unauthorized('Bearer'));
    const network = (): string => networkOf(peers.clientAddress(req));
    const isBearer = scheme?.toLowerCase() === 'bearer';
    // Node joins several `DPoP` headers into one value, which is no valid proof.
    const possession = { proof: headerOf(req, 'dpop'), method: req.method ?? '', address: addressOf(req) };
    const credentials = { token, network, metadata, ...(!isBearer && { possession }) };
    if (kindOf(token) === undefined) throw challengedWith(metadata, inactiveToken(credentials));
    return credentials;
  };

/** The account header under any of its names; two names with different values are a 400. */
export function accountHeaderOf(req: IncomingMessage, names: readonly string[]): string | undefined {
  const given = new Set(names.map((name) => headerOf(req, name)).filter((value) => value !== undefined));
  if (given.size > 1) throw badRequest('Conflicting account headers');
  return [...given][0];
}

const languageHeaders = ['x-service-language', 'accept-language'] as const;

/** The request's language headers, to be forwarded to services: names and values alternate. */
export const languagesOf = (req: IncomingMessage): string[] =>
  languageHeaders.flatMap((name) => {
    const value = headerOf(req, name);
    return value === undefined ? [] : [name, value];
  });
