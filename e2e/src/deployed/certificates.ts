import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Certificate {
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Certificate and key in one file, as MongoDB needs them. */
  readonly bothFile: string;
  readonly certificate: string;
  readonly key: string;
}

/** Issues a certificate for `names` from the private authority in `directory`. */
export function issueCertificate(directory: string, names: readonly string[]): Certificate {
  const [first = ''] = names;
  const folder = join(directory, 'certificates', first.replace(/[^\w.-]/g, '_'));
  mkdirSync(folder, { recursive: true });
  const file = (name: string) => join(folder, name);
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', file('key.pem')];
  openssl('req', ...key, '-subj', `/CN=${first}`, '-out', file('request.pem'));
  writeFileSync(file('extensions'), `subjectAltName=${names.map((name) => `DNS:${name}`).join(',')}\n`);
  const authority = join(directory, 'authority.pem');
  const signed = ['-CA', authority, '-CAkey', `${authority}.key`, '-CAcreateserial', '-days', '2'];
  openssl(
    'x509',
    '-req',
    '-in',
    file('request.pem'),
    ...signed,
    '-extfile',
    file('extensions'),
    '-out',
    file('certificate.pem'),
  );
  const certificate = readFileSync(file('certificate.pem'), 'utf8');
  const secret = readFileSync(file('key.pem'), 'utf8');
  writeFileSync(file('both.pem'), certificate + secret, { mode: 0o600 });
  return {
    certificateFile: file('certificate.pem'),
    keyFile: file('key.pem'),
    bothFile: file('both.pem'),
    certificate,
    key: secret,
  };
}
