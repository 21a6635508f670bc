// Dialogs for revoking a certificate, releasing it from hold, and reporting a key compromise after revocation.
import { Checkbox, Stack, Text } from '@mantine/core';
import type { CertificateRevocationReason } from '@signetry/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { titleOf } from '../../format/names.ts';
import { useMay } from '../../kit/use-may.ts';
import { raProfileQuery } from '../../queries/ra-profiles.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { notify } from '../../ui/notices.tsx';
import type { RaProfilePath } from './ra-profile-path.ts';
import { ReasonField } from './revocation-reason.tsx';
import type { CertificateDetail } from './shapes.ts';

interface DialogProps {
  readonly certificate: CertificateDetail;
  readonly place: RaProfilePath;
  readonly opened: boolean;
  readonly onClose: () => void;
}

export function RevokeDialog({ certificate, place, ...dialog }: DialogProps) {
  const [reason, setReason] = useState<CertificateRevocationReason>('unspecified');
  const revoke = useRevocation({ certificate, place });
  const [destroysKey, setDestroysKey] = useState(false);
  const key = useDestroyableKey(certificate);
  const action = async (): Promise<void> => {
    await revoke(reason, destroysKey && reason !== 'certificateHold');
    notify.done(`${titleOf(certificate)} is ${reason === 'certificateHold' ? 'on hold' : 'revoked'}.`);
  };
  const isHeld = certificate.state === 'revoked';
  return (
    <Confirm {...dialog} title={`Revoke ${titleOf(certificate)}?`} verb="Revoke" keep="Keep it" grave action={action}>
      <Stack>
        <Text>
          Relying parties that check its status will reject it from now on.{' '}
          {reason === 'certificateHold' ? 'You can release it from hold later.' : 'This cannot be undone.'}
        </Text>
        <ReasonField reason={reason} onChange={setReason} withHold={!isHeld} />
        {key && reason !== 'certificateHold' && (
          <Checkbox
            label={`Also destroy key ${key.name}`}
            description="The key is permanently destroyed in its token. Operations that need it will fail."
            checked={destroysKey}
            onChange={(event) => setDestroysKey(event.currentTarget.checked)}
          />
        )}
      </Stack>
    </Confirm>
  );
}

/** Returns the certificate's key if it is in a token and the user can destroy it. */
function useDestroyableKey({ key, privateKeyAvailability }: CertificateDetail) {
  const may = useMay();
  return key && privateKeyAvailability && may(['keys', 'delete', key.uuid]) ? key : undefined;
}

export function ReleaseDialog({ certificate, ...dialog }: Omit<DialogProps, 'place'>) {
  const queries = useQueryClient();
  const action = async (): Promise<void> => {
    await api.certificateHold.releaseCertificate({ params: { uuid: certificate.uuid } });
    await queries.invalidateQueries({ queryKey: ['certificates'] });
    notify.done(`${titleOf(certificate)} was released from hold.`);
  };
  return (
    <Confirm {...dialog} title={`Release ${titleOf(certificate)} from hold?`} verb="Release" action={action}>
      It becomes valid again: OCSP reports this immediately, and the next CRL no longer contains it.
    </Confirm>
  );
}

export function CompromiseDialog({ certificate, place, ...dialog }: DialogProps) {
  const revoke = useRevocation({ certificate, place });
  const action = async (): Promise<void> => {
    await revoke('keyCompromise');
    notify.done(`The key of ${titleOf(certificate)} was reported as compromised.`);
  };
  return (
    <Confirm
      {...dialog}
      title={`Report the key of ${titleOf(certificate)} as compromised?`}
      verb="Report"
      grave
      action={action}
    >
      The revocation date does not change; OCSP and CRLs report key compromise as the reason from now on. No further
      certificates will be issued for this key. This cannot be undone.
    </Confirm>
  );
}

function useRevocation({ certificate, place }: Pick<DialogProps, 'certificate' | 'place'>) {
  const queries = useQueryClient();
  return async (reason: CertificateRevocationReason, destroyKey = false): Promise<void> => {
    const profile = await queries.ensureQueryData(raProfileQuery(place.raProfileUuid));
    if (profile.legacyAuthority) await revokeByName(profile.name, certificate, reason);
    else {
      const params = { ...place, certificateUuid: certificate.uuid };
      await api.clientOperations.revokeCertificate({ params, body: { reason, attributes: [], destroyKey } });
    }
    await queries.invalidateQueries({ queryKey: ['certificates'] });
  };
}

/** First-generation authorities identify the certificate to be revoked by its issuer and serial number. */
const revokeByName = (
  raProfileName: string,
  { serialNumber = '', issuerDn = '' }: CertificateDetail,
  reason: CertificateRevocationReason,
): Promise<void> =>
  api.legacyClientOperations.revokeLegacyCertificate({
    params: { raProfileName },
    body: { certificateSN: serialNumber, issuerDN: issuerDn, reason },
  });
