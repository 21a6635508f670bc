// Marks a certificate's root and the CA certificates in between as trusted, because all of them must be trusted.
import { Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { colonPairs, titleOf } from '../../format/names.ts';
import { ActionButton } from '../../kit/actions.tsx';
import { chainQuery } from '../../queries/certificates.ts';
import type { CertificateDetail } from './shapes.ts';
import classes from './trust-button.module.css';

const isAuthority = ({ subjectType }: CertificateDetail): boolean =>
  subjectType === 'rootCa' || subjectType === 'intermediateCa';

export function TrustButton({ certificate }: { readonly certificate: CertificateDetail }) {
  const { data: chain } = useQuery(chainQuery(certificate.uuid));
  const authorities = (chain?.certificates ?? []).filter(isAuthority);
  const root = authorities.at(-1);
  const untrusted = authorities.filter(({ trustedCa }) => trustedCa !== true);
  if (!root || untrusted.length === 0) return null;
  // The root is marked first, so that each certificate is valid as soon as it is marked.
  const trust = async (): Promise<void> => {
    for (const { uuid } of untrusted.toReversed())
      await api.certificates.updateCertificateObjects({ params: { uuid }, body: { trustedCa: true } });
    await api.certificates.getCertificateValidationResult({ params: { uuid: certificate.uuid } });
  };
  const between = untrusted.filter((each) => each !== root);
  return (
    <div className={classes.trust}>
      <ActionButton
        size="xs"
        action={{
          label: 'Trust this root',
          icon: IconShieldCheck,
          needs: ['certificates', 'update'],
          run: trust,
          done: `${titleOf(root)} is now trusted.`,
          refresh: ['certificates'],
          ask: {
            title: `Trust ${titleOf(root)}?`,
            children: (
              <>
                Certificates that chain to this root will then pass validation on this platform. Compare its fingerprint
                with the one published by the CA:
                <Text className={classes.fingerprint}>{colonPairs(root.fingerprint ?? '')}</Text>
                {between.length > 0 && `Also marked as trusted: ${between.map(titleOf).join(', ')}.`}
              </>
            ),
          },
        }}
      />
    </div>
  );
}
