// Microsoft Intune for SCEP: it validates requests, is notified of their outcome, and requests revocations.
import type { ProtocolCertificates } from '../../../areas/issuing/index.ts';
import type { Enrolments } from '../../../areas/enrolments/index.ts';
import type { RaProfiles } from '../../../areas/ra-profiles/index.ts';
import type { IntuneProfiles } from '../../../areas/scep-profiles/index.ts';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { Platform } from '../../../platform/platform.ts';
import { admitByIntune } from './admit.ts';
import { createIntune, type IntuneAddresses } from './client.ts';
import { createIntuneNotices } from './notices.ts';
import { revokeForIntune } from './revocations.ts';

export { intuneRequestOf } from './admit.ts';
export type { IntuneAddresses } from './client.ts';

export interface IntuneAreas {
  readonly addresses: IntuneAddresses;
  readonly profiles: IntuneProfiles;
  readonly enrolments: Pick<Enrolments, 'find'>;
  readonly raProfiles: Pick<RaProfiles, 'authorityOf'>;
  readonly certificates: ProtocolCertificates;
}

export type IntuneSide = ReturnType<typeof createIntuneSide>;

export function createIntuneSide(platform: Platform, areas: IntuneAreas) {
  const { clock, log } = platform;
  const intune = createIntune(platform, areas.addresses);
  const notices = createIntuneNotices({ platform, intune, ...areas });
  return {
    admit: (question: Parameters<typeof admitByIntune>[1]) => admitByIntune({ intune, log }, question),
    notices,
    revoke: (context: RequestContext) => revokeForIntune({ clock, log, intune, ...areas }, context),
    async stop(): Promise<void> {
      await notices.stop();
      await intune.close();
    },
  };
}
