// The connector's declaration.
export const NAME = 'webhook-notifications';
export const KIND = 'WEBHOOK';
