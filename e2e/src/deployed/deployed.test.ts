import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { overlayNames } from '../../../deploy/rendered';
import { deployables } from '../service-processes';
import { call } from '../tour/api';
import { createBrowser } from '../tour/browser';
import { members, text } from '../tour/expect';
import { startReceiver } from '../tour/receiver';
import type { Receiver } from '../tour/receiver';
import { issueCertificate } from './certificates';
import { enginesOf, renderWithAuthorities, startCluster } from './cluster';
import type { Cluster } from './cluster';
import { engineNames, nameOf, startEngines } from './engines';
import type { Engines } from './engines';
import { readFileSync } from 'node:fs';
import { addresses, createNetwork } from './network';
import { documentedCommand, documentedPermissions } from './operations-page';

const directory = process.env['DEPLOYED_DIRECTORY'] ?? '';
const receiverName = 'hooks.customer.example';
const password = 'correct horse battery staple';

let engines: Engines;
let receiver: Receiver;
beforeAll(async () => {
  createNetwork();
  const { certificate: cert, key } = issueCertificate(directory, [receiverName]);
  receiver = await startReceiver({ address: addresses.receiver, port: 443, name: receiverName, cert, key });
  engines = await startEngines({
    directory,
    services: deployables,
    virtualHosts: overlayNames,
    permissions: documentedPermissions(),
  });
}, 120_000);
afterAll(async () => {
  await receiver.close();
  await engines.close();
});

const key = (): string => randomBytes(32).toString('base64');

async function deploy(overlay: string): Promise<Cluster> {
  const manifests = await renderWithAuthorities(overlay, directory);
  const index = overlayNames.indexOf(overlay);
  const outside: Record<string, string> = { [receiverName]: addresses.receiver };
  for (const [position, engine] of engineNames.entries()) {
    const address = enginesOf(manifests, 10 + position);
    engines.hosts[engine].addAddress(address);
    outside[nameOf(engine)] = address;
  }
  const [INTROSPECTION_SECRET, SEALING_KEYS, DELIVERY_KEYS] = [key(), key(), key()];
  const shared = { INTROSPECTION_SECRET, SEALING_KEYS, DELIVERY_KEYS, REDIS_URL: engines.redisUrl(index) };
  return startCluster(manifests, {
    directory,
    outside,
    configMaps: { 'private-authorities': { 'ca.crt': readFileSync(join(directory, 'authority.pem'), 'utf8') } },
    secret(entry, property) {
      const service = entry.split('/')[1] ?? '';
      const values: Record<string, string> = {
        ...shared,
        MONGODB_URL: engines.mongodbUrl(service),
        AMQP_URL: engines.amqpUrl(overlay),
        SMTP_URL: engines.mailUrl,
      };
      return text(values[property], property);
    },
  });
}

const email = 'howard.tanner@widget.example';

async function makeToken(cluster: Cluster, baseUrl: string): Promise<string> {
  const command = documentedCommand('kubectl -n itsm-production-au exec -i deploy/auth', 'deploy/auth -- ');
  const made = await cluster.pods.get('auth')?.exec(command, password);
  expect(made).toMatchObject({ code: 0 });
  const browser = createBrowser(baseUrl);
  const [signIn] = (await browser.visit(`${baseUrl}/oauth/sign-in`)).forms;
  if (!signIn) throw new Error('no sign-in form');
  const profile = await browser.submit(signIn, { email, password });
  const form = profile.forms.find(({ action }) => action.endsWith('/personal-access-tokens'));
  if (!form) throw new Error('no form for a personal access token');
  const page = await browser.submit(form, { name: 'first', days: '30', action: ['*:*'] });
  return text(/itsm_pat_\w+/.exec(page.html)?.[0], 'the token on the page');
}

test.each(overlayNames)('%s becomes ready, has an account, and a webhook is verified', async (overlay) => {
  const cluster = await deploy(overlay);
  try {
    const host = overlay.replace(/^(\w+)-(\w+)$/, (_all, environment: string, region: string) =>
      environment === 'production' ? region : environment === 'demo' ? 'demo' : `${region}.${environment}`,
    );
    const baseUrl = `https://${host}.itsm.example`;
    const token = await makeToken(cluster, baseUrl);
    const credentials = { token, account: 'wdc' };
    const registered = await call(`${baseUrl}/v1/webhooks`, credentials, {
      method: 'POST',
      json: { event: 'request.create', uri: receiver.uri },
    });
    expect(registered).toMatchObject({ status: 201 });
    const id = members(registered.body, 'webhook')['id'];
    const verify = await receiver.next(({ body }) => body['webhook_id'] === id && body['event'] === 'webhook.verify', 10_000);
    console.log(verify.body);
  } finally {
    expect(await cluster.stop()).toEqual(deployables.map(() => 0));
    await engines.empty();
  }
});
