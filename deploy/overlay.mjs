// Generates what differs between deployments of the platform: addresses, secrets, engines, size.
const services = ['gateway', 'auth', 'graph', 'webhooks', 'webhook-delivery', 'ui-extensions', 'console'];

/** The secrets of each service, each with its entry in the secret store. Two services read the same ones in `shared`. */
const secrets = {
  gateway: { REDIS_URL: 'shared', INTROSPECTION_SECRET: 'shared' },
  auth: {
    MONGODB_URL: 'auth',
    AMQP_URL: 'auth',
    REDIS_URL: 'shared',
    INTROSPECTION_SECRET: 'shared',
    CONSOLE_CLIENT_SECRET: 'shared',
    SEALING_KEYS: 'auth',
    SMTP_URL: 'auth',
  },
  graph: { MONGODB_URL: 'graph', AMQP_URL: 'graph', SMTP_URL: 'graph' },
  webhooks: { MONGODB_URL: 'webhooks', AMQP_URL: 'webhooks', DELIVERY_KEYS: 'shared', SMTP_URL: 'webhooks' },
  'webhook-delivery': { MONGODB_URL: 'webhook-delivery', AMQP_URL: 'webhook-delivery', DELIVERY_KEYS: 'shared' },
  'ui-extensions': { MONGODB_URL: 'ui-extensions', AMQP_URL: 'ui-extensions' },
  console: { CONSOLE_CLIENT_SECRET: 'shared', COOKIE_KEYS: 'console' },
};

const having = (secret) => services.filter((name) => secret in secrets[name]);
export const storeUsers = having('MONGODB_URL');
/** Adds the index jobs: each opens the same connections as its service. They send no mail. */
const withJobs = (users) => [
  ...users,
  ...users.filter((name) => storeUsers.includes(name)).map((name) => `${name}-indexes`),
];

/** The services and jobs that use each engine, and its ports (plain, TLS, and that of the sentinels of Redis). */
const engines = {
  store: { users: withJobs(storeUsers), ports: [27017] },
  broker: { users: withJobs(having('AMQP_URL')), ports: [5671, 5672] },
  coordination: { users: withJobs(having('REDIS_URL')), ports: [6379, 6380, 26379] },
  mail: { users: having('SMTP_URL'), ports: [465, 587] },
  // Object storage by an address of this network.
  files: { users: ['graph'], ports: [443] },
};

/** Components that apply to all processes: those of services and those of jobs. */
const ofProcesses = ['private-authorities'];

const part = 'app.kubernetes.io/part-of';
const nameLabel = 'app.kubernetes.io/name';

/** The files of an overlay, each a list of documents. `alerts` are the groups of rules, for the namespace `itsm`. */
export function overlayFiles(deployment, alerts) {
  const name = `itsm-${deployment.environment}-${deployment.region}`;
  const resources = {
    'namespace.yaml': [namespace(name)],
    'engines.yaml': [...enginePolicies(deployment.engines), tracesPolicy(name)],
    'ingress.yaml': [ingress(deployment.host)],
    ...(deployment.externalSecrets && { 'secrets.yaml': services.map((service) => externalSecret(service, name)) }),
    'prometheus-rule.yaml': [prometheusRule(name, alerts)],
  };
  return {
    'kustomization.yaml': [kustomization(name, Object.keys(resources), deployment)],
    'indexes/kustomization.yaml': [indexes(name, deployment)],
    ...resources,
  };
}

/** The index jobs, applied separately before the release. They have the images and settings of their overlay. */
function indexes(name, { base, ...deployment }) {
  const components = deployment.components.filter((component) => ofProcesses.includes(component));
  return {
    ...ofDeployment(name, deployment),
    resources: ['../../../indexes'],
    ...(components.length > 0 && { components: components.map((component) => `../../../components/${component}`) }),
    configMapGenerator: storeUsers.map((service) => ({
      name: `${service}-settings`,
      options: { labels: { [nameLabel]: service, [part]: 'itsm' } },
      literals: literals({ ...base[service], ...settings(service, name, deployment) }),
    })),
    images: images(storeUsers, deployment),
  };
}

const ofDeployment = (name, { environment, region }) => ({
  apiVersion: 'kustomize.config.k8s.io/v1beta1',
  kind: 'Kustomization',
  namespace: name,
  labels: [{ pairs: { 'itsm.example/environment': environment, 'itsm.example/region': region } }],
});

const literals = (values) => Object.entries(values).map(([key, value]) => `${key}=${value}`);

function kustomization(name, resources, deployment) {
  const [least, most] = deployment.replicas;
  const [leastDelivering, mostDelivering] = deployment.deliveryReplicas;
  const all = [
    'network-policies',
    'disruption-budgets',
    'autoscaling',
    'queue-autoscaling',
    'monitoring',
    ...deployment.components,
  ];
  return {
    ...ofDeployment(name, deployment),
    resources: ['../../platform', ...resources],
    components: all.map((component) => `../../components/${component}`),
    configMapGenerator: services.map((service) => ({
      name: `${service}-settings`,
      behavior: 'merge',
      literals: literals(settings(service, name, deployment)),
    })),
    images: images(services, deployment),
    patches: [
      size('HorizontalPodAutoscaler', { minReplicas: least, maxReplicas: most }),
      size('ScaledObject', {
        minReplicaCount: leastDelivering,
        maxReplicaCount: mostDelivering,
        'fallback/replicas': leastDelivering,
      }),
      ...roomForProcesses(settings('gateway', name, deployment).GATEWAY_PROCESSES),
    ],
  };
}

/** `version` is a tag, or an object with the digest of each service's image. */
const images = (of, { registry, version }) =>
  of.map((service) => ({
    name: `registry.example/itsm-${service}`,
    newName: `${registry}/itsm-${service}`,
    ...(typeof version === 'string' ? { newTag: version } : { digest: version[service] }),
  }));

/** Each worker needs as much as a single process; the primary adds its own memory. */
const roomForProcesses = (processes = 1) => {
  if (Number(processes) === 1) return [];
  const requests = { cpu: `${100 * processes}m`, memory: `${256 * processes}Mi` };
  const value = { requests, limits: { memory: `${896 * processes + 128}Mi` } };
  return [
    {
      target: { kind: 'Deployment', name: 'gateway' },
      patch: `- { op: replace, path: /spec/template/spec/containers/0/resources, value: ${JSON.stringify(value)} }\n`,
    },
  ];
};

const size = (kind, fields) => ({
  target: { kind },
  patch: `${Object.entries(fields)
    .map(([field, value]) => `- { op: replace, path: /spec/${field}, value: ${value} }`)
    .join('\n')}\n`,
});

function settings(service, name, { host, proxies, traceRatio, settings: given }) {
  return {
    BASE_URL: `https://${host}`,
    OTLP_ENDPOINT: `http://collector.${name}-observability:4318`,
    TRACE_RATIO: traceRatio,
    ...(!['gateway', 'console'].includes(service) && { NODE_ID_DOMAIN: host }),
    ...(service === 'gateway' && { TRUSTED_PROXIES: proxies }),
    // The process has its credentials from the cluster, so the address has none.
    ...(service === 'graph' && { ATTACHMENTS: `s3://${name}-attachments` }),
    ...(['gateway', 'webhooks'].includes(service) && { ACCOUNT_URL: `https://{account}.${host}` }),
    ...('SMTP_URL' in secrets[service] && { MAIL_FROM: `Service Management <service@${host}>` }),
    // Precedence: the deployment's setting, then that of its environment in the table, then these.
    ...Object.assign({}, ...given.map((one) => one?.[service])),
  };
}

const namespace = (name) => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: {
    name,
    labels: Object.fromEntries(
      ['enforce', 'audit', 'warn'].map((mode) => [`pod-security.kubernetes.io/${mode}`, 'restricted']),
    ),
  },
});

const networkPolicy = (name, podSelector, egress) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name },
  spec: { podSelector, policyTypes: ['Egress'], egress },
});

const tcp = (port) => ({ protocol: 'TCP', port });

const enginePolicies = (cidr) =>
  Object.entries(engines).map(([engine, { users, ports }]) =>
    networkPolicy(engine, { matchExpressions: [{ key: nameLabel, operator: 'In', values: users }] }, [
      { to: [{ ipBlock: { cidr } }], ports: ports.map(tcp) },
    ]),
  );

const tracesPolicy = (name) =>
  networkPolicy('traces', { matchLabels: { [part]: 'itsm' } }, [
    {
      to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': `${name}-observability` } } }],
      ports: [tcp(4318)],
    },
  ]);

function ingress(host) {
  const http = {
    paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'gateway', port: { name: 'http' } } } }],
  };
  const hosts = [host, `*.${host}`];
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name: 'gateway',
      labels: { [nameLabel]: 'gateway', [part]: 'itsm' },
      annotations: {
        // Imports have the largest bodies. The platform itself limits all other bodies.
        'nginx.ingress.kubernetes.io/proxy-body-size': '100m',
        // Per client address. The gateway cannot limit this, since it sees only the connections of the ingress.
        'nginx.ingress.kubernetes.io/limit-connections': '256',
      },
    },
    spec: {
      ingressClassName: 'nginx',
      tls: [{ hosts, secretName: 'gateway-tls' }],
      rules: hosts.map((one) => ({ host: one, http })),
    },
  };
}

const externalSecret = (service, name) => ({
  apiVersion: 'external-secrets.io/v1',
  kind: 'ExternalSecret',
  metadata: { name: `${service}-secrets`, labels: { [nameLabel]: service, [part]: 'itsm' } },
  spec: {
    refreshInterval: '1h',
    secretStoreRef: { kind: 'SecretStore', name },
    target: { name: `${service}-secrets`, creationPolicy: 'Owner' },
    data: Object.entries(secrets[service]).map(([secretKey, entry]) => ({
      secretKey,
      remoteRef: { key: `${name}/${entry}`, property: secretKey },
    })),
  },
});

/** Restricts the rules to the namespace, so that no other deployment in the same Prometheus masks or triggers them. */
const prometheusRule = (name, alerts) => ({
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: { name: 'itsm' },
  spec: {
    groups: alerts.map((group) => ({
      ...group,
      rules: group.rules.map((rule) => ({
        ...rule,
        expr: rule.expr.replaceAll('namespace="itsm"', `namespace="${name}"`),
      })),
    })),
  },
});
