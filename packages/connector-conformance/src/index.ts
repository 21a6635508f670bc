// Checks connectors in any programming language against the connector interface.
export { checkConnector, type CheckOptions } from './check-connector.ts';
export { foreignAuthority, type ForeignAuthority, type ForeignSubject } from './certificates/foreign-authority.ts';
export { reachInProcess, reachOverHttp, type HttpReachOptions, type Reach } from './reach.ts';
export { type CheckResult, type ConformanceReport, type Evidence, type Outcome } from './report/result.ts';
export { GivenValues } from './values/given-values.ts';
