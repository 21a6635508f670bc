// A certification authority outside the platform.
export { createExternalAuthority, type ExternalAuthority, type ExternalSubject } from '@signetry/connector-conformance';
