// Shows which certificate is replaced in a single-certificate location.
import { titleOf } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import type { LocationDetail } from '../../queries/entities.ts';
import { Callout } from '../../ui/callout.tsx';
import { TextLink } from '../../ui/text-link.tsx';

export function ReplacementNotice({ certificate }: { readonly certificate: LocationDetail['certificates'][number] }) {
  const title = titleOf(certificate);
  return (
    <Callout tone="warn" title={`The new certificate replaces ${title}`}>
      The location holds only one certificate.{' '}
      <TextLink to={paths.certificates.one(certificate.certificateUuid)} inSentence>
        {title}
      </TextLink>{' '}
      remains in use until the new one is installed, and is not revoked.
    </Callout>
  );
}
