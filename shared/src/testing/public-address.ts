const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const;

interface Sent {
  set(name: string, value: string): unknown;
}

type Client = { [Method in (typeof methods)[number]]: (address: string) => Sent };

/**
 * Lets a supertest client use the platform's public URLs: path, query, Host and scheme arrive as through an ingress.
 * `publicUrl` is the only known origin, so a URL of another origin fails, as it would in DNS. A bare path is sent
 * unchanged.
 */
export function atPublicAddress<Given extends Client>(client: Given, publicUrl: string): Given {
  const known = new URL(publicUrl);
  for (const method of methods) {
    const send = client[method].bind(client);
    client[method] = (address: string) => {
      if (address.startsWith('/')) return send(address);
      const { origin, protocol, host, pathname, search } = new URL(address);
      if (origin !== known.origin) throw new Error(`${address} is not at ${known.origin}`);
      const sent = send(pathname + search);
      sent.set('Host', host);
      sent.set('X-Forwarded-Proto', protocol.slice(0, -1));
      return sent;
    };
  }
  return client;
}
