// The scanner without the connector, for programs that run their own scans.
export { FAILURE_TEXTS, ScanFailure, type FailureKind } from './outcome.ts';
export { Politeness, type PaceFacts } from '@signetry/connector-sdk/discovery';
export { runScan } from './run-scan.ts';
export { MAX_OCTETS, scanTarget, type ScanOptions, type ScanResult, type ServedHandshake } from './scan-target.ts';
export { boundsOf, endpointText, parseHosts } from '../targets/hosts.ts';
export { createPlan, MAX_TARGETS, type ScanPlan, type Target } from '../targets/plan.ts';
export {
  allPorts,
  DEFAULT_PORTS,
  parsePorts,
  START_TLS_PROTOCOLS,
  type PortEntry,
  type StartTlsProtocol,
} from '../targets/ports.ts';
