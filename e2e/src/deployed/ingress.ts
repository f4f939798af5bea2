import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ofKind } from '../../../deploy/rendered';
import type { Manifest } from '../../../deploy/rendered';
import { startGroup } from '../operations/process-group';
import type { ProcessGroup } from '../operations/process-group';
import { issueCertificate } from './certificates';
import { listens } from './engines';
import type { Host } from './network';

export interface IngressSpec {
  readonly ingressClassName: string;
  readonly tls: readonly { readonly hosts: readonly string[]; readonly secretName: string }[];
  readonly rules: readonly {
    readonly host: string;
    readonly http: {
      readonly paths: readonly {
        readonly path: string;
        readonly pathType: string;
        readonly backend: { readonly service: { readonly name: string; readonly port: { readonly name: string } } };
      }[];
    };
  }[];
}

/** The `address:port` of a service's pod. */
export type Upstream = (service: string, port: string) => string;

const prefix = 'nginx.ingress.kubernetes.io/';

/** nginx directives by annotation; an unknown annotation is an error, so that none is ignored. */
const directives: Readonly<Record<string, (value: string) => string>> = {
  [`${prefix}proxy-body-size`]: (value) => `client_max_body_size ${value};`,
  [`${prefix}limit-connections`]: (value) => `limit_conn address ${value};`,
};

/** nginx with the rules of the Ingress objects, as its ingress controller would write them. */
export async function startIngress(
  manifests: readonly Manifest[],
  host: Host,
  directory: string,
  authorityDirectory: string,
  upstream: Upstream,
): Promise<ProcessGroup> {
  mkdirSync(directory, { recursive: true });
  const ingresses = ofKind<IngressSpec>(manifests, 'Ingress');
  const servers = ingresses.flatMap(({ spec, metadata }) => {
    if (spec.ingressClassName !== 'nginx') throw new Error(`${spec.ingressClassName} is not understood`);
    const settings = Object.entries(metadata.annotations ?? {}).map(([name, value]) => {
      const directive = directives[name];
      if (!directive) throw new Error(`The annotation ${name} is not understood`);
      return directive(value);
    });
    return spec.rules.map((rule) =>
      server(rule, settings, certificateOf(spec, rule.host, authorityDirectory), upstream),
    );
  });
  const file = join(directory, 'nginx.conf');
  writeFileSync(file, configuration(directory, servers));
  const [program = '', ...args] = [...host.prefix, 'nginx', '-e', 'stderr', '-p', directory, '-c', file];
  const group = startGroup(program, args, { cwd: directory });
  void group.ended.then((code) => {
    if (code !== null && code !== 0) process.stderr.write(`nginx ended with ${code}:\n${group.output()}\n`);
  });
  await listens(host.address, 443);
  return group;
}

/** Creates the secret of `tls` for the host, as an operator has to: for exactly the hosts that it serves. */
function certificateOf({ tls }: IngressSpec, host: string, authorityDirectory: string) {
  const entry = tls.find(({ hosts }) => hosts.includes(host));
  return entry && issueCertificate(authorityDirectory, entry.hosts);
}

function server(
  { host, http }: IngressSpec['rules'][number],
  settings: readonly string[],
  certificate: ReturnType<typeof issueCertificate> | undefined,
  upstream: Upstream,
): string {
  const name = host.startsWith('*.') ? `~^(?<subdomain>[\\w-]+)${host.slice(1).replaceAll('.', '\\.')}$` : host;
  const locations = http.paths.map(({ path, pathType, backend }) => {
    if (pathType !== 'Prefix') throw new Error(`${pathType} is not understood`);
    const { service } = backend;
    // The controller's defaults; the time-outs and the redirect of plain http matter most.
    return `location ${path} {
      ${certificate ? 'if ($scheme = http) { return 308 https://$host$request_uri; }' : ''}
      proxy_pass http://${upstream(service.name, service.port.name)};
      ${forwarded}
    }`;
  });
  return `server {
    server_name ${name};
    listen 80;
    ${certificate ? `listen 443 ssl http2; ssl_certificate ${certificate.certificateFile}; ssl_certificate_key ${certificate.keyFile};` : ''}
    ${settings.some((each) => each.startsWith('client_max_body_size')) ? '' : 'client_max_body_size 1m;'}
    ${settings.join(' ')}
    ${locations.join('\n')}
  }`;
}

const forwarded = `proxy_set_header Host $http_host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection "";
      proxy_set_header X-Request-ID $request_id;
      proxy_set_header X-Real-IP $remote_addr;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Host $http_host;
      proxy_set_header X-Forwarded-Port $server_port;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header X-Forwarded-Scheme $scheme;
      proxy_set_header X-Scheme $scheme;
      proxy_set_header X-Original-Forwarded-For $http_x_forwarded_for;
      proxy_set_header Proxy "";
      proxy_http_version 1.1;
      proxy_connect_timeout 5s; proxy_send_timeout 60s; proxy_read_timeout 60s;
      proxy_buffering off; proxy_buffer_size 4k; proxy_buffers 4 4k;
      proxy_request_buffering on;
      proxy_redirect off;
      proxy_next_upstream error timeout; proxy_next_upstream_tries 3;`;

const configuration = (directory: string, servers: readonly string[]): string => `daemon off;
master_process off;
user root;
pid ${directory}/nginx.pid;
error_log stderr warn;
events { worker_connections 1024; }
http {
  access_log off;
  server_tokens off;
  ssl_protocols TLSv1.2 TLSv1.3;
  keepalive_timeout 75s;
  large_client_header_buffers 4 8k;
  server_names_hash_bucket_size 128;
  limit_conn_zone $binary_remote_addr zone=address:5m;
  client_body_temp_path ${directory}/body; proxy_temp_path ${directory}/proxy;
  fastcgi_temp_path ${directory}/fastcgi; uwsgi_temp_path ${directory}/uwsgi; scgi_temp_path ${directory}/scgi;
  # Hosts of which no Ingress speaks.
  server { listen 80 default_server; location / { return 404; } }
  server { listen 443 ssl default_server; ssl_reject_handshake on; }
  ${servers.join('\n')}
}
`;
