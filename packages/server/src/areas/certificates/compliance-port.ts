// Port to which the compliance area, in a higher tier, connects.
import type { Executor } from '../../platform/database/database.ts';

/** Reason why a certificate must not be issued for the request; undefined if nothing prevents it. */
export type RequestProblem = string | undefined;

export interface ComplianceGate {
  /** Returns whether rules apply to this RA profile's certificates and requests. Cached for a few seconds. */
  appliesTo(raProfileUuid: string): Promise<boolean>;
  /**
   * Checks a certificate's request and stores the result. If `isRepeated` is set, an existing result is used, because
   * the authority may have received the request since then.
   */
  problemOfRequest(facts: { readonly certificateUuid: string; readonly isRepeated: boolean }): Promise<RequestProblem>;
  /** Schedules a check of certificates after the transaction. */
  checkLater(tx: Executor, certificateUuids: readonly string[]): Promise<void>;
  /** Returns the provider rules that the certificate does not meet. */
  failedRulesOf(certificateUuid: string): Promise<
    readonly {
      readonly connectorName: string;
      readonly ruleName: string;
      readonly ruleDescription: string;
      readonly status: 'ok' | 'nok' | 'na' | 'not_available';
    }[]
  >;
}

/** If the compliance area is not connected, no rules apply. */
const noCompliance: ComplianceGate = {
  appliesTo: () => Promise.resolve(false),
  problemOfRequest: () => Promise.resolve(undefined),
  checkLater: () => Promise.resolve(),
  failedRulesOf: () => Promise.resolve([]),
};

/** Connected once; until then, nothing is checked. */
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

interface RequestToCheck {
  readonly certificateUuid: string;
  readonly raProfileUuid: string;
  /** Whether the authority may already have been called. */
  readonly isRepeated: boolean;
}

/**
 * Checks a request against an RA profile's rules before the certificate is signed. Returns a description of the
 * problem; undefined if there is none, or if no rules apply.
 */
export async function problemOfRequest(
  compliance: Pick<CompliancePort, 'appliesTo' | 'problemOfRequest'>,
  request: RequestToCheck,
): Promise<string | undefined> {
  if (!(await compliance.appliesTo(request.raProfileUuid))) return undefined;
  return compliance.problemOfRequest(request);
}
