import { ConnectionString } from 'mongodb-connection-string-url';

const host = /^(\[[\da-f:.]+\]|[^\s:[\]@]+)(:\d{1,5})?$/i;

/** Why MongoDB's driver would not take `value` as an address; undefined when it would. Shows nothing of the value, which may hold a password. */
export function faultOfMongoAddress(value: string): string | undefined {
  if (!/^mongodb(\+srv)?:\/\//.test(value)) return 'must be a mongodb:// address';
  try {
    const { hosts, pathname } = new ConnectionString(value);
    // The driver would look for such a host, and wait in vain.
    if (hosts.every((one) => host.test(one)) && !/[/@]/.test(pathname.slice(1))) return undefined;
  } catch {
    // What it says may show the address.
  }
  return 'must be mongodb://user:password@host:port,host:port/database?options, or mongodb+srv://… with one host and no port; : / ? # @ and % in the user and the password are percent-encoded';
}
