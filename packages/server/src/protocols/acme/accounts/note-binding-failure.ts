// Tells operators why an external account binding was rejected: in the log and in the list of requests. The client gets
// the same sentence for every reason.
import type { Enrollments } from '../../../areas/enrollments/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { AcmeRejection } from '../model/problems.ts';
import type { SignedCall } from '../requests/call.ts';

export interface BindingNotes {
  readonly platform: Platform;
  readonly enrollments: Pick<Enrollments, 'recordRejection'>;
}

/** Runs part of a registration; records a hidden reason if it is rejected. */
export async function noteBindingFailure<Result>(
  { platform, enrollments }: BindingNotes,
  { profile, key, context }: SignedCall,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof AcmeRejection ? error.facts.hiddenReason : undefined;
    if (reason === undefined) throw error;
    const address = context.source?.ipAddress;
    platform.log.info({ profile: profile.name, address, reason }, 'an external account binding was rejected');
    try {
      await enrollments.recordRejection({
        protocol: 'acme',
        profile,
        transactionId: key.thumbprint,
        kind: 'newAccount',
        requester: 'external account key',
        subject: 'New account',
        problem: reason,
        address,
      });
    } catch (failure) {
      platform.log.error({ error: failure }, 'cannot record a rejected external account binding');
    }
    throw error;
  }
}
