// For discovery connectors: jobs under a lease that resume after a crash, results that count once, paging.
export * from './define-discovery.ts';
export * from './discovery-kind.ts';
export { discoveryMigrations, foundCertificateTable } from './discovery-migrations.ts';
export { DiscoveryStore } from './discovery-store.ts';
export * from './politeness.ts';
