import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerCertificate } from './redis-set';

/** A certificate for 127.0.0.1 from a private authority, both made for this. */
export function makeServerCertificate(directory: string): ServerCertificate {
  const file = (name: string) => join(directory, name);
  const openssl = (...parameters: readonly string[]) =>
    execFileSync('openssl', parameters, { stdio: ['ignore', 'ignore', 'pipe'] });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const authority = ['-keyout', file('authority.key'), '-out', file('authority.pem')];
  openssl('req', '-x509', ...newKey, ...authority, '-days', '2', '-subj', '/CN=itsm test authority');
  openssl('req', ...newKey, '-keyout', file('server.key'), '-out', file('request.pem'), '-subj', '/CN=redis');
  writeFileSync(file('extensions'), 'subjectAltName=IP:127.0.0.1\n');
  const signed = ['-CA', file('authority.pem'), '-CAkey', file('authority.key'), '-CAcreateserial', '-days', '2'];
  const made = ['-extfile', file('extensions'), '-out', file('server.pem')];
  openssl('x509', '-req', '-in', file('request.pem'), ...signed, ...made);
  return { authorityFile: file('authority.pem'), certificateFile: file('server.pem'), keyFile: file('server.key') };
}
