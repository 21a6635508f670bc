// A certification authority outside of the platform.
export { foreignAuthority, type ForeignAuthority, type ForeignSubject } from '@signetry/connector-conformance';
