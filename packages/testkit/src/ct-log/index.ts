// Separate entry point without the test runner, since benchmarks and the connector check also use it.
export * from './ct-log.ts';
export { createLoggedAuthority } from './logged-certificates.ts';
