/** The services behind the gateway. */
export type ServiceName = 'auth' | 'graph' | 'webhooks' | 'webhook-delivery' | 'ui-extensions';
