// What the connector declares about itself.
export const NAME = 'email-notifications';
export const KIND = 'EMAIL';
