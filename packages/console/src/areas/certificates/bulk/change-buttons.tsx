// Buttons for bulk changes: assign, archive, unarchive, delete. Each opens a dialog that states the effect and the
// number of certificates.
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArchive, IconArchiveOff, IconTrash, IconUserEdit, type Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { api } from '../../../api/client.ts';
import type { Needs } from '../../../kit/rights.ts';
import { useMay } from '../../../kit/use-may.ts';
import { ABOUT_THE_ARCHIVE } from '../archive-action.ts';
import type { ListedCertificate } from '../shapes.ts';
import { AssignManyDialog } from './assign-dialog.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { countOf, requestFor, wordsOfChosen, type Chosen } from './chosen.ts';
import { Names } from './names.tsx';

interface ButtonsProps {
  readonly chosen: Chosen;
  /** Called when a change has started, so that the selection can be cleared. */
  readonly onDone: () => void;
}

export function AssignButton({ chosen, onDone }: ButtonsProps) {
  return (
    <OpeningButton
      label="Assign"
      icon={IconUserEdit}
      needs={[
        ['certificates', 'update'],
        ['raProfiles', 'detail'],
      ]}
      chosen={chosen}
    >
      {(onClose) => <AssignManyDialog chosen={chosen} onClose={onClose} onDone={onDone} />}
    </OpeningButton>
  );
}

/** Offers to archive the selected certificates, and to unarchive them if the selection can contain archived ones. */
export function ArchiveButtons({ chosen, onDone }: ButtonsProps) {
  const { beyond } = chosen;
  const those = (wanted: (row: ListedCertificate) => boolean): Chosen =>
    beyond ? chosen : { rows: chosen.rows.filter(wanted) };
  const [inside, outside] = [those(({ archived }) => archived === true), those(({ archived }) => archived !== true)];
  const mayBeArchived = beyond ? beyond.selection.includeArchived === true : countOf(inside) > 0;
  return (
    <>
      {(countOf(outside) > 0 || !mayBeArchived) && (
        <OpeningButton label="Archive" icon={IconArchive} needs={['certificates', 'archive']} chosen={outside}>
          {(onClose) => (
            <ChangeDialog
              title={`Archive ${wordsOfChosen(outside)}?`}
              verb="Archive"
              begin={() => api.certificateChanges.archiveManyCertificates({ body: requestFor(outside) })}
              onClose={onClose}
              onDone={onDone}
            >
              <Text component="div">
                {ABOUT_THE_ARCHIVE} <Names of={outside} />
              </Text>
            </ChangeDialog>
          )}
        </OpeningButton>
      )}
      {mayBeArchived && (
        <OpeningButton label="Unarchive" icon={IconArchiveOff} needs={['certificates', 'archive']} chosen={inside}>
          {(onClose) => (
            <ChangeDialog
              title={`Unarchive ${wordsOfChosen(inside)}?`}
              verb="Unarchive"
              begin={() => api.certificateChanges.unarchiveManyCertificates({ body: requestFor(inside) })}
              onClose={onClose}
              onDone={onDone}
            >
              <Text component="div">
                They are included in lists and statistics again, are validated and can be changed. <Names of={inside} />
              </Text>
            </ChangeDialog>
          )}
        </OpeningButton>
      )}
    </>
  );
}

export function DeleteButton({ chosen, onDone }: ButtonsProps) {
  return (
    <OpeningButton
      label="Delete"
      icon={IconTrash}
      isGrave
      needs={[
        ['certificates', 'delete'],
        ['raProfiles', 'detail'],
      ]}
      chosen={chosen}
    >
      {(onClose) => (
        <ChangeDialog
          title={`Delete ${wordsOfChosen(chosen)}?`}
          verb="Delete"
          keep={countOf(chosen) === 1 ? 'Keep it' : 'Keep them'}
          isGrave
          begin={() => api.certificateChanges.deleteManyCertificates({ body: requestFor(chosen) })}
          onClose={onClose}
          onDone={onDone}
        >
          <Text component="div">
            Deleting removes each certificate and its history from the inventory and cannot be undone. It does not
            revoke: valid certificates remain valid, and no expiry notifications are sent. <Names of={chosen} />{' '}
            Certificates cannot be deleted if a user signs in with them, an RA profile issues under them, or an
            operation on them is in progress.
          </Text>
        </ChangeDialog>
      )}
    </OpeningButton>
  );
}

interface OpeningButtonProps {
  readonly label: string;
  readonly icon: Icon;
  readonly needs: Needs;
  readonly isGrave?: boolean;
  readonly chosen: Chosen;
  readonly children: (onClose: () => void) => ReactNode;
}

function OpeningButton({ label, icon: Mark, needs, isGrave = false, chosen, children }: OpeningButtonProps) {
  const [isOpen, dialog] = useDisclosure();
  const may = useMay();
  const isEmpty = countOf(chosen) === 0;
  if (!may(needs)) return null;
  return (
    <>
      <Button
        size="xs"
        variant="default"
        c={isGrave && !isEmpty ? 'var(--bad)' : undefined}
        disabled={isEmpty}
        leftSection={<Mark size={14} />}
        onClick={dialog.open}
      >
        {label}
      </Button>
      {isOpen && children(dialog.close)}
    </>
  );
}
