// Declaration of the connector.
export const NAME = 'webhook-notifications';
export const KIND = 'WEBHOOK';
