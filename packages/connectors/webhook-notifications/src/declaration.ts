// What the connector declares about itself.
export const NAME = 'webhook-notifications';
export const KIND = 'WEBHOOK';
