// Whether the rules of an RA profile speak against a request, before anybody signs.
import type { CompliancePort } from './compliance-port.ts';

export interface RequestInQuestion {
  readonly certificateUuid: string;
  readonly raProfileUuid: string;
  /** The authority may have been asked already. */
  readonly isRepeated: boolean;
}

/** In words; undefined when nothing does, and where no rules apply. */
export async function problemOfRequest(
  compliance: Pick<CompliancePort, 'appliesTo' | 'problemOfRequest'>,
  request: RequestInQuestion,
): Promise<string | undefined> {
  if (!(await compliance.appliesTo(request.raProfileUuid))) return undefined;
  return compliance.problemOfRequest(request);
}
