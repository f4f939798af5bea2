import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Time-based one-time passwords (RFC 6238) as authenticator apps make them: SHA-1, six digits, a new one every 30 seconds. */
const stepMilliseconds = 30_000;
const digits = 6;

/** As long as the digest, as RFC 4226 §4 recommends. */
export const newTotpSecret = (): Buffer => randomBytes(20);

export const stepAt = (at: Date): number => Math.floor(at.getTime() / stepMilliseconds);

/** The code of a time step (RFC 4226 §5.3). */
export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', secret).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0xf;
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** The time step of the code: the present one, or one before or after, since clocks differ. */
export function stepOf(secret: Buffer, code: string, at: Date): number | undefined {
  const given = Buffer.from(code);
  const present = stepAt(at);
  return [present - 1, present, present + 1]
    .filter((step) => given.length === digits && timingSafeEqual(given, Buffer.from(codeOf(secret, step))))
    .at(0);
}

/** RFC 4648 §6, without padding. */
export function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(Number.parseInt(five.padEnd(5, '0'), 2)))
    .join('');
}

/** The content of the QR code for authenticator apps. */
export function otpauthUri(secret: Buffer, issuer: string, holder: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(holder)}`;
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=${encodeURIComponent(issuer)}`;
}
