// Imports certificates from multiple files, which can be chosen or dropped. They are sent with a progress indicator,
// followed by a report of the rejected certificates.
import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import { describeFinding, describePosition } from '@signetry/client';
import { IconCertificate, IconUpload } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type DragEvent } from 'react';
import { formatCount } from '../../format/names.ts';
import type { DialogAction } from '../../kit/actions.tsx';
import { Callout } from '../../ui/callout.tsx';
import { Rejection } from '../../ui/rejection.tsx';
import classes from './import-dialog.module.css';
import { importFiles, type ImportProgress } from './import-files.ts';

export const importAction: DialogAction = {
  label: 'Import',
  name: 'Import certificates',
  icon: IconUpload,
  needs: ['certificates', 'create'],
  dialog: ({ opened, onClose }) => opened && <ImportDialog onClose={onClose} />,
};

function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<ImportProgress>();
  const [total, setTotal] = useState(0);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const run = useMutation({
    mutationFn: (files: readonly File[]) =>
      importFiles(files, { signal: stop.current.signal, onProgress: setProgress }),
    onSuccess: setProgress,
    onSettled: () => queries.invalidateQueries({ queryKey: ['certificates'] }),
  });
  const begin = (files: readonly File[]): void => {
    if (files.length === 0) return;
    setTotal(files.length);
    setProgress(undefined);
    run.mutate(files);
  };
  return (
    <Modal opened onClose={onClose} size="lg" title={<Text fw={650}>Import certificates</Text>}>
      <Stack>
        {run.isPending ? (
          <UploadProgress progress={progress} total={total} />
        ) : (
          <>
            {run.isSuccess && progress && <Report progress={progress} />}
            <Rejection error={run.error} />
            <DropZone onFiles={begin} isAgain={run.isSuccess} />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {run.isPending ? 'Stop' : 'Close'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function DropZone({
  onFiles,
  isAgain,
}: {
  readonly onFiles: (files: readonly File[]) => void;
  readonly isAgain: boolean;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return (
    <div
      className={classes.zone}
      data-over={isOver || undefined}
      role="group"
      aria-label="Files to import"
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <IconCertificate size={28} aria-hidden="true" />
      <Text size="sm">
        Drop files here: PEM with any number of certificates, DER or PKCS #7. Certificates already in the inventory are
        not changed.
      </Text>
      <Button variant={isAgain ? 'default' : 'filled'} onClick={() => input.current?.click()}>
        Choose files
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Certificate files"
        onChange={(event) => onFiles([...(event.currentTarget.files ?? [])])}
      />
    </div>
  );
}

function UploadProgress({
  progress,
  total,
}: {
  readonly progress: ImportProgress | undefined;
  readonly total: number;
}) {
  const done = progress?.done ?? 0;
  return (
    <Stack gap="xs" role="status">
      <Text size="sm">
        {formatCount(done)} of {formatCount(total)} {total === 1 ? 'file' : 'files'} sent
        {progress && `, ${countsOf(progress)}`}
      </Text>
      <Progress value={total === 0 ? 0 : (100 * done) / total} animated aria-label="Files sent" />
    </Stack>
  );
}

/** Maximum number of rejections shown; the CLI prints all of them. */
const MAX_SHOWN = 200;

function Report({ progress }: { readonly progress: ImportProgress }) {
  const { refusals, findings } = progress;
  const rest = refusals.length - MAX_SHOWN;
  return (
    <Callout tone={refusals.length === 0 ? 'good' : 'warn'} title={titleOfReport(progress)} urgent>
      <Stack gap="xs">
        <Text size="sm">{`${countsOf(progress)}.`}</Text>
        {refusals.length > 0 && (
          <ul className={classes.refusals} aria-label="Rejected certificates">
            {refusals.slice(0, MAX_SHOWN).map((refusal, at) => (
              // oxlint-disable-next-line no-array-index-key -- a report does not change
              <li key={at}>
                <strong>{refusal.name}</strong>
                {describePosition(refusal) !== '' && `, ${describePosition(refusal)}`}: {refusal.reason}
              </li>
            ))}
            {rest > 0 && <li>{`And ${formatCount(rest)} more.`}</li>}
          </ul>
        )}
        {findings.length > 0 && (
          <>
            <Text size="sm">Accepted although the format is not standard:</Text>
            <ul className={classes.refusals} aria-label="Accepted variants">
              {findings.slice(0, MAX_SHOWN).map((finding) => (
                <li key={`${finding.name} ${finding.finding}`}>
                  <strong>{finding.name}</strong>: {describeFinding(finding)}
                </li>
              ))}
              {findings.length > MAX_SHOWN && <li>{`And ${formatCount(findings.length - MAX_SHOWN)} more.`}</li>}
            </ul>
          </>
        )}
      </Stack>
    </Callout>
  );
}

function titleOfReport({ imported, known, refusals }: ImportProgress): string {
  if (refusals.length === 0) return 'All certificates are in the inventory';
  return imported + known === 0 ? 'No certificates imported' : 'Some certificates could not be imported';
}

const countsOf = ({ imported, known, refusals }: ImportProgress): string =>
  `${formatCount(imported)} imported, ${formatCount(known)} already known, ${formatCount(refusals.length)} rejected`;
