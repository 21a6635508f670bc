// A certification authority outside the platform.
export { foreignAuthority, type ForeignAuthority, type ForeignSubject } from '@signetry/connector-conformance';
