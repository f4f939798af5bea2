const methods = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const;

interface Sent {
  set(name: string, value: string): unknown;
}

type Client = { [Method in (typeof methods)[number]]: (address: string) => Sent };

/**
 * Makes a client of supertest take addresses that the platform gave out, as they are: path, query, Host and scheme arrive as
 * they would through an ingress. It stands for the name server too: `publicUrl` is the only origin it knows, so an address
 * of any other one fails. A path alone is sent as before.
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
