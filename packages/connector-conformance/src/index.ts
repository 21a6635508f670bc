// Checks connectors in any programming language against the connector interface.
export { checkConnector, type CheckOptions } from './check-connector.ts';
export {
  createExternalAuthority,
  type ExternalAuthority,
  type ExternalSubject,
} from './certificates/external-authority.ts';
export { inProcessTransport, httpTransport, type HttpTransportOptions, type Transport } from './transport.ts';
export { type CheckResult, type ConformanceReport, type Evidence, type Outcome } from './report/result.ts';
export { GivenValues } from './values/given-values.ts';
