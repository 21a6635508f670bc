// The result of issuing, at an address of its own: a reload shows the certificate again, though not the private key.
import { useNavigate } from '@tanstack/react-router';
import { useSearch } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { titleOf } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { Reading } from '../../kit/reading.tsx';
import { useUuid } from '../../kit/routes.ts';
import { certificateQuery, isUnderWay } from '../../queries/certificates.ts';
import { Callout } from '../../ui/callout.tsx';
import { Page } from '../../ui/page.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import classes from './issue.module.css';
import { Issued } from './issued.tsx';

export function IssuedPage() {
  const uuid = useUuid();
  const { rekeyed }: { readonly rekeyed?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  return (
    <Reading of={useQuery(certificateQuery(uuid))} what="the certificate">
      {(certificate) => (
        <Page
          title={isUnderWay(certificate.state) ? 'Being issued' : titleOf(certificate)}
          description={
            certificate.state === 'pending_approval'
              ? 'The request was received. You need not stay: the certificate will be in the inventory.'
              : 'The files of the certificate that was issued.'
          }
          parent={{ to: paths.certificates.list, label: 'Inventory' }}
        >
          <div className={classes.step}>
            {rekeyed !== undefined && (
              <Callout tone="none" title="The certificate for the old key is still valid">
                Install the new key and certificate, then{' '}
                <TextLink to={paths.certificates.one(rekeyed)} inSentence>
                  revoke the old one
                </TextLink>
                .
              </Callout>
            )}
            <Issued
              key={uuid}
              certificate={certificate}
              {...(rekeyed === undefined && { onAnother: () => void navigate({ to: paths.issue }) })}
            />
          </div>
        </Page>
      )}
    </Reading>
  );
}
