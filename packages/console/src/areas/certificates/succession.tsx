// The predecessors and successors of a certificate, and a link to all certificates for its name.
import { Text } from '@mantine/core';
import { formatDate } from '../../format/dates.ts';
import { titleOf } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { TextLink } from '../../ui/text-link.tsx';
import type { CertificateDetail } from './shapes.ts';
import { CertificateState } from './state.tsx';
import classes from './succession.module.css';

type RelatedCertificate = NonNullable<CertificateDetail['relatedCertificates']>[number];

export function Succession({ certificate }: { readonly certificate: CertificateDetail }) {
  const { relatedCertificates = [], sourceCertificateUuid } = certificate;
  const name = titleOf(certificate);
  return (
    <ul className={classes.succession}>
      {relatedCertificates.map((related) => (
        <li key={related.uuid} className={classes.one}>
          <Text span size="sm" c="dimmed">
            {related.uuid === sourceCertificateUuid ? 'Replaces' : 'Replaced by'}
          </Text>
          <TextLink to={paths.certificates.one(related.uuid)}>{linkText(related, name)}</TextLink>
          <CertificateState certificate={related} />
        </li>
      ))}
      <li className={classes.one}>
        <TextLink to={paths.certificates.lineage(certificate.uuid)}>All certificates for this name</TextLink>
      </li>
    </ul>
  );
}

/** The names are usually identical, so dates distinguish the certificates. Related certificates may not have a name. */
const linkText = (related: RelatedCertificate, name: string): string => {
  const { commonName, notBefore, notAfter } = related;
  const title = commonName === '' ? name : titleOf(related);
  return notBefore && notAfter ? `${title}, ${formatDate(notBefore)} – ${formatDate(notAfter)}` : title;
};
