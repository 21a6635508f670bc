// Microsoft Intune for SCEP: it validates requests, is notified of their outcome, and requests revocations.
import type { ProtocolCertificates } from '../../../areas/issuing/index.ts';
import type { Enrollments } from '../../../areas/enrollments/index.ts';
import type { RaProfiles } from '../../../areas/ra-profiles/index.ts';
import type { IntuneProfiles } from '../../../areas/scep-profiles/index.ts';
import type { RequestContext } from '../../../kernel/actor.ts';
import type { Platform } from '../../../platform/platform.ts';
import { admitByIntune } from './admit.ts';
import { createIntune, type IntuneUrls } from './client.ts';
import { createIntuneNotices } from './notices.ts';
import { revokeForIntune } from './revocations.ts';

export { intuneRequestOf } from './admit.ts';
export type { IntuneUrls } from './client.ts';

export interface IntuneAreas {
  readonly addresses: IntuneUrls;
  readonly profiles: IntuneProfiles;
  readonly enrollments: Pick<Enrollments, 'find'>;
  readonly raProfiles: Pick<RaProfiles, 'authorityOf'>;
  readonly certificates: ProtocolCertificates;
}

export type IntuneServices = ReturnType<typeof createIntuneServices>;

export function createIntuneServices(platform: Platform, areas: IntuneAreas) {
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
