// For connectors that notify users and systems: instances with their secrets, delivery identifiers, and event texts.
export * from './console-url.ts';
export * from './deadline.ts';
export * from './define-notification.ts';
export { instanceSecrets, notificationMigrations } from './notification-migrations.ts';
export * from './notification-kind.ts';
export * from './texts/data-fields.ts';
export * from './texts/describe-notification.ts';
export * from './texts/plain-text.ts';
