// What the area of compliance, which is above this one, connects here.
import type { Executor } from '../../platform/database/database.ts';

/** Why a request must not be issued, in words; undefined when nothing speaks against it. */
export type RequestProblem = string | undefined;

export interface ComplianceGate {
  /** Do rules apply to the certificates and requests of this RA profile? Remembered for seconds. */
  appliesTo(raProfileUuid: string): Promise<boolean>;
  /**
   * Checks the request of a certificate and keeps the result. With `isRepeated`, a result that is there counts: the
   * authority may have been asked after it.
   */
  problemOfRequest(facts: { readonly certificateUuid: string; readonly isRepeated: boolean }): Promise<RequestProblem>;
  /** Has certificates checked after the transaction. */
  checkLater(tx: Executor, certificateUuids: readonly string[]): Promise<void>;
  /** Rules of providers that the certificate does not fulfil. */
  failedRulesOf(certificateUuid: string): Promise<
    readonly {
      readonly connectorName: string;
      readonly ruleName: string;
      readonly ruleDescription: string;
      readonly status: 'ok' | 'nok' | 'na' | 'not_available';
    }[]
  >;
}

/** Without the area of compliance no rules apply. */
const noCompliance: ComplianceGate = {
  appliesTo: () => Promise.resolve(false),
  problemOfRequest: () => Promise.resolve(undefined),
  checkLater: () => Promise.resolve(),
  failedRulesOf: () => Promise.resolve([]),
};

/** Connected once; until then nothing is checked. */
export interface CompliancePort extends ComplianceGate {
  connect(gate: ComplianceGate): void;
}

export function createCompliancePort(): CompliancePort {
  let gate = noCompliance;
  return {
    connect: (connected) => {
      gate = connected;
    },
    appliesTo: (raProfileUuid) => gate.appliesTo(raProfileUuid),
    problemOfRequest: (facts) => gate.problemOfRequest(facts),
    checkLater: (tx, uuids) => gate.checkLater(tx, uuids),
    failedRulesOf: (uuid) => gate.failedRulesOf(uuid),
  };
}
