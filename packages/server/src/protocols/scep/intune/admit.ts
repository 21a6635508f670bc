// Has Intune say whether a request may be fulfilled; what it refuses is refused in its words.
import type { CertificationRequest, ScepFailInfo, ScepMessage } from '@signetry/pki';
import type { IntuneAccount } from '../../../areas/scep-profiles/index.ts';
import type { Logger } from '../../../platform/logging/logger.ts';
import { refuse } from '../refusal.ts';
import type { Intune, IntuneRequest } from './client.ts';
import { IntuneFault, IntuneRefusal } from './faults.ts';

export interface IntuneAdmissionParts {
  readonly intune: Pick<Intune, 'validate'>;
  readonly log: Logger;
}

export const intuneRequestOf = (
  { transactionId }: Pick<ScepMessage, 'transactionId'>,
  { der }: Pick<CertificationRequest, 'der'>,
): IntuneRequest => ({ transactionId, request: Buffer.from(der).toString('base64') });

export async function admitByIntune(
  { intune, log }: IntuneAdmissionParts,
  {
    account,
    profile,
    request,
  }: { readonly account: IntuneAccount; readonly profile: string; readonly request: IntuneRequest },
): Promise<void> {
  try {
    await intune.validate(account, request);
  } catch (error) {
    if (error instanceof IntuneRefusal)
      refuse(failInfoOf(error.code), `Microsoft Intune refused the request: ${error.code}.`);
    if (!(error instanceof IntuneFault)) throw error;
    log.warn(
      { profile, transactionId: request.transactionId, problem: error.message },
      'Microsoft Intune gave no answer',
    );
    refuse('badRequest', `The request could not be validated now; try again later. ${error.message}.`);
  }
}

/** What is wrong with the challenge, or with who sent it, or with the request itself. */
const failInfoOf = (code: string): ScepFailInfo =>
  /^(Challenge|SignatureValidation|Bad\w+InChallenge$)/.test(code) ? 'badMessageCheck' : 'badRequest';
