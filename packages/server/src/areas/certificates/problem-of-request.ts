// Checks a request against an RA profile's rules before the certificate is signed.
import type { CompliancePort } from './compliance-port.ts';

export interface RequestToCheck {
  readonly certificateUuid: string;
  readonly raProfileUuid: string;
  /** Whether the authority may already have been called. */
  readonly isRepeated: boolean;
}

/** Returns a description of the problem; undefined if there is none, or if no rules apply. */
export async function problemOfRequest(
  compliance: Pick<CompliancePort, 'appliesTo' | 'problemOfRequest'>,
  request: RequestToCheck,
): Promise<string | undefined> {
  if (!(await compliance.appliesTo(request.raProfileUuid))) return undefined;
  return compliance.problemOfRequest(request);
}
