import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { overlayNames } from '../../../deploy/rendered';
import type { Manifest } from '../../../deploy/rendered';
import { startSmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import type { SmtpReceiver } from '@itsm/shared/testing/smtp-receiver';
import { startCollector } from '../operations/collector';
import type { Collector } from '../operations/collector';
import { deployables } from '../service-processes';
import { text } from '../tour/expect';
import { startReceiver } from '../tour/receiver';
import type { Receiver } from '../tour/receiver';
import { issueCertificate } from './certificates';
import { enginesOf, renderForOperator, startCluster } from './cluster';
import type { Cluster } from './cluster';
import { engineNames, nameOf, startEngines } from './engines';
import type { Engines } from './engines';
import { addAddress, addresses, createNetwork } from './network';
import { documentedPermissions } from './operations-page';

/** Everything outside of a deployment: the engines of all regions, and a receiver on the internet. */
export interface World {
  readonly directory: string;
  readonly engines: Engines;
  readonly receiver: Receiver;
  /** The mail relay of all regions. */
  readonly mail: SmtpReceiver;
  /** Renders a folder below k8s/overlays for an operator with a private authority. */
  render(folder: string): Promise<Manifest[]>;
  /** Starts an overlay with everything that docs/operations.md requires of its operator. */
  deploy(overlay: string, choices?: Choices): Promise<Deployment>;
  close(): Promise<void>;
}

/** Options of an operator. */
export interface Choices {
  /** Settings of the gateway. */
  readonly gateway?: Readonly<Record<string, string>>;
  /** How services find MongoDB: by its nodes' names, or with `srv` by one SRV name. */
  readonly mongodb?: 'srv';
}

/** A running overlay, and the collector of its traces. */
export type Deployment = Cluster & { readonly collector: Collector };

const receiverName = 'hooks.customer.example';

export async function startWorld(): Promise<World> {
  // Created by scripts/deployed.mjs, with the authority in it.
  const directory = text(process.env['DEPLOYED_DIRECTORY'], 'DEPLOYED_DIRECTORY');
  createNetwork();
  const receiver = await startReceiver({
    listen: { host: addresses.receiver, port: 443 },
    uri: `https://${receiverName}/webhook`,
    certificate: issueCertificate(directory, [receiverName]),
    status: (path) => (path.endsWith('?gone') ? 410 : 200),
  });
  const mail = await startSmtpReceiver(undefined, { host: '0.0.0.0', port: 587 });
  const collectors: Collector[] = [];
  const engines = await startEngines({
    directory,
    services: deployables,
    virtualHosts: overlayNames,
    permissions: documentedPermissions(),
  });
  return {
    directory,
    engines,
    receiver,
    mail,
    render: (folder) => renderForOperator(folder, directory),
    async deploy(overlay, { gateway, mongodb } = {}) {
      await Promise.all(collectors.splice(0).map((one) => one.close()));
      const collector = await startCollector({ host: addresses.collector, port: 4318 });
      collectors.push(collector);
      const manifests = await renderForOperator(overlay, directory, gateway);
      const outside = { [receiverName]: addresses.receiver, ...placeEngines(engines, manifests) };
      const authority = readFileSync(join(directory, 'authority.pem'), 'utf8');
      const cluster = await startCluster(manifests, {
        directory,
        outside,
        seedLists: [engines.seedList],
        secret: secretStore(engines, overlay, mongodb),
        configMaps: { 'private-authorities': { 'ca.crt': authority } },
      });
      return { ...cluster, collector };
    },
    async close() {
      await Promise.all(collectors.map((one) => one.close()));
      await receiver.close();
      await mail.close();
      await engines.close();
    },
  };
}

/** Places the engines in the networks of the table; their names are the same in every region here. */
function placeEngines({ hosts }: Engines, manifests: Cluster['manifests']): Record<string, string> {
  const relay = enginesOf(manifests, 20);
  addAddress(relay);
  const placed = Object.fromEntries(
    engineNames.map((name, index) => {
      const address = enginesOf(manifests, 10 + index);
      hosts[name].addAddress(address);
      return [nameOf(name), address];
    }),
  );
  return { ...placed, [nameOf('mail')]: relay };
}

/** The entries of docs/operations.md for one deployment. */
function secretStore(
  engines: Engines,
  overlay: string,
  mongodb: Choices['mongodb'],
): (entry: string, property: string) => string {
  const key = (): string => randomBytes(32).toString('base64');
  const shared = { INTROSPECTION_SECRET: key(), CONSOLE_CLIENT_SECRET: key(), DELIVERY_KEYS: key() };
  const keys = { ...shared, COOKIE_KEYS: key(), SEALING_KEYS: key() };
  return (entry, property) => {
    const service = entry.split('/')[1] ?? '';
    const values: Readonly<Record<string, string>> = {
      ...keys,
      MONGODB_URL: mongodb === 'srv' ? engines.mongodbSrvUrl(service) : engines.mongodbUrl(service),
      AMQP_URL: engines.amqpUrl(overlay),
      REDIS_URL: engines.redisUrl(overlayNames.indexOf(overlay)),
      SMTP_URL: `smtp://${nameOf('mail')}:587`,
    };
    return text(values[property], property);
  };
}
