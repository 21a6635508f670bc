// For connectors that notify people and systems: instances with their secrets, identifiers of deliveries, and what an
// event means in words.
export * from './console-url.ts';
export * from './deadline.ts';
export * from './define-notification.ts';
export { instanceSecrets, notificationMigrations } from './notification-migrations.ts';
export * from './notification-kind.ts';
export * from './words/data-fields.ts';
export * from './words/describe-notification.ts';
export * from './words/plain-text.ts';
