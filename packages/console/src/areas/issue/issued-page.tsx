// Result page of an issuance, which has its own URL. After a reload, the certificate is shown again, but the private
// key is lost.
import { useNavigate } from '@tanstack/react-router';
import { useSearch } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { titleOf } from '../../format/names.ts';
import { paths } from '../../kit/paths.ts';
import { QueryView } from '../../kit/query-view.tsx';
import { useUuid } from '../../kit/routes.ts';
import { certificateQuery, isUnderWay } from '../../queries/certificates.ts';
import { Callout } from '../../ui/callout.tsx';
import { Page } from '../../ui/page.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import classes from './issue.module.css';
import { IssuedCertificate } from './issued.tsx';

export function IssuedPage() {
  const uuid = useUuid();
  const { rekeyed }: { readonly rekeyed?: string } = useSearch({ strict: false });
  const navigate = useNavigate();
  return (
    <QueryView of={useQuery(certificateQuery(uuid))} what="the certificate">
      {(certificate) => (
        <Page
          title={isUnderWay(certificate.state) ? 'Issuance in progress' : titleOf(certificate)}
          description={
            certificate.state === 'pending_approval'
              ? 'The request was received. You can leave this page: the certificate will appear in the inventory.'
              : 'Save the certificate files.'
          }
          parent={{ to: paths.certificates.list, label: 'Inventory' }}
        >
          <div className={classes.step}>
            {rekeyed !== undefined && (
              <Callout tone="none" title="The old certificate is still valid">
                Install the new key and certificate, then{' '}
                <TextLink to={paths.certificates.one(rekeyed)} inSentence>
                  revoke the old one
                </TextLink>
                .
              </Callout>
            )}
            <IssuedCertificate
              key={uuid}
              certificate={certificate}
              {...(rekeyed === undefined && { onAnother: () => void navigate({ to: paths.issue }) })}
            />
          </div>
        </Page>
      )}
    </QueryView>
  );
}
