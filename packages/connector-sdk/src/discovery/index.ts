// For connectors that find certificates: jobs under a lease that go on after a crash, results that count once, pages.
export * from './define-discovery.ts';
export * from './discovery-kind.ts';
export { discoveryMigrations, foundCertificateTable } from './discovery-migrations.ts';
export { DiscoveryStore } from './discovery-store.ts';
export * from './politeness.ts';
