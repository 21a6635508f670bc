// The certificate is there: its files, and where it is found again. A key that was made here is offered now or never.
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDownload, IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { titleOf } from '../../format/names.ts';
import { paths } from '../../paths.ts';
import { Callout } from '../../ui/callout.tsx';
import { notify } from '../../ui/notices.tsx';
import { Failure, Loading } from '../../ui/outcomes.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { ValidityBar } from '../../ui/validity-bar.tsx';
import { downloads, save, saveFile } from '../certificates/downloads.ts';
import { certificateQuery, isUnderWay } from '../certificates/queries.ts';
import { verdictOf } from '../certificates/state.tsx';
import { WhyNot } from '../certificates/why-not.tsx';

export interface IssuedFiles {
  readonly uuid: string;
  /** PKCS#8 in PEM, when the key was made here. */
  readonly privateKey: string | undefined;
}

export function Issued({ files, onAnother }: { readonly files: IssuedFiles; readonly onAnother: () => void }) {
  const { data: certificate, error, refetch } = useQuery(certificateQuery(files.uuid));
  const [isSaved, setSaved] = useState(false);
  const mayLose = files.privateKey !== undefined && !isSaved;
  const { guard } = useUnsaved(mayLose, {
    question: 'Leave without the private key?',
    consequence: 'It exists in this page only. When you leave, it is gone, and the certificate is of no use.',
  });
  if (!certificate)
    return error ? <Failure error={error} retry={() => void refetch()} /> : <Loading what="the certificate" />;
  const chain = downloads.find((download) => download.chain && download.encoding === 'pem');
  return (
    <Panel title={isUnderWay(certificate.state) ? 'On its way' : titleOf(certificate)}>
      {guard}
      <Stack gap="lg" maw="44rem">
        {certificate.notBefore && certificate.notAfter && certificate.state === 'issued' ? (
          <ValidityBar
            notBefore={certificate.notBefore}
            notAfter={certificate.notAfter}
            tone={verdictOf(certificate).tone}
          />
        ) : (
          <WhyNot certificate={certificate} />
        )}
        {files.privateKey !== undefined && (
          <Callout
            tone={isSaved ? 'none' : 'warn'}
            title={isSaved ? 'The private key is saved' : 'Save the private key now'}
          >
            {isSaved
              ? 'Keep the file where only the server can read it.'
              : 'It exists in this page only. When you leave, it is gone.'}
          </Callout>
        )}
        <Group>
          {files.privateKey !== undefined && (
            <Button
              leftSection={<IconKey size={16} />}
              variant={isSaved ? 'default' : 'filled'}
              onClick={() => {
                saveFile(`${titleOf(certificate)}.key.pem`, new TextEncoder().encode(files.privateKey));
                setSaved(true);
              }}
            >
              Save the private key
            </Button>
          )}
          {certificate.state === 'issued' && chain && (
            <Button
              leftSection={<IconDownload size={16} />}
              variant={files.privateKey !== undefined ? 'default' : 'filled'}
              onClick={() => void save(certificate, chain).catch(notify.failed)}
            >
              Save the certificate and its chain
            </Button>
          )}
          <Button component={Link} to={paths.certificate(files.uuid)} variant="default">
            Open it in the inventory
          </Button>
          <Button variant="subtle" onClick={onAnother} disabled={mayLose}>
            Issue another
          </Button>
        </Group>
        {mayLose && (
          <Text size="sm" c="dimmed">
            Another can be issued once the key is saved.
          </Text>
        )}
      </Stack>
    </Panel>
  );
}
