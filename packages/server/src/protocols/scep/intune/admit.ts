// Asks Intune whether a request can be fulfilled, and passes on its rejections.
import type { CertificationRequest, ScepFailInfo, ScepMessage } from '@signetry/pki';
import type { IntuneAccount } from '../../../areas/scep-profiles/index.ts';
import type { Logger } from '../../../platform/logging/logger.ts';
import { reject } from '../rejection.ts';
import type { Intune, IntuneRequest } from './client.ts';
import { IntuneFault, IntuneRejection } from './faults.ts';

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
    if (error instanceof IntuneRejection)
      reject(failInfoOf(error.code), `Microsoft Intune rejected the request: ${error.code}.`);
    if (!(error instanceof IntuneFault)) throw error;
    log.warn(
      { profile, transactionId: request.transactionId, problem: error.message },
      'Microsoft Intune returned no usable response',
    );
    reject('badRequest', `Cannot validate the request at this time; try again later. ${error.message}.`);
  }
}

/** Distinguishes an error in the challenge or its sender from an error in the request itself. */
const failInfoOf = (code: string): ScepFailInfo =>
  /^(Challenge|SignatureValidation|Bad\w+InChallenge$)/.test(code) ? 'badMessageCheck' : 'badRequest';
