// An entry of its own, without the test runner: benchmarks and the check of connectors use it too.
export * from './ct-log.ts';
export { createLoggedAuthority } from './logged-certificates.ts';
