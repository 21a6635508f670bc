// For discovery connectors: leased jobs that resume after a crash, results that are counted only once, and paging.
export * from './define-discovery.ts';
export * from './discovery-kind.ts';
export { discoveryMigrations, foundCertificateTable } from './discovery-migrations.ts';
export { DiscoveryStore } from './discovery-store.ts';
export * from './politeness.ts';
