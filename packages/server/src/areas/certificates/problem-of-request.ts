// Checks a request against the rules of an RA profile before it is signed.
import type { CompliancePort } from './compliance-port.ts';

export interface RequestInQuestion {
  readonly certificateUuid: string;
  readonly raProfileUuid: string;
  /** Whether the authority may already have been called. */
  readonly isRepeated: boolean;
}

/** Returns the problem as text; undefined if there is none, or if no rules apply. */
export async function problemOfRequest(
  compliance: Pick<CompliancePort, 'appliesTo' | 'problemOfRequest'>,
  request: RequestInQuestion,
): Promise<string | undefined> {
  if (!(await compliance.appliesTo(request.raProfileUuid))) return undefined;
  return compliance.problemOfRequest(request);
}
