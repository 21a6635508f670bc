// Buttons for bulk changes: assign, archive, unarchive, delete. Each opens a dialog that states the effect and the
// number of certificates.
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconArchive, IconArchiveOff, IconTrash, IconUserEdit, type Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { api } from '../../../api/client.ts';
import type { Needs } from '../../../kit/rights.ts';
import { useMay } from '../../../kit/use-may.ts';
import { ARCHIVE_EFFECTS } from '../archive-action.ts';
import type { ListedCertificate } from '../shapes.ts';
import { BulkAssignDialog } from './assign-dialog.tsx';
import { ChangeDialog } from './change-dialog.tsx';
import { countOf, requestFor, describeSelection, type BulkSelection } from './selection.ts';
import { Names } from './names.tsx';

interface ButtonsProps {
  readonly chosen: BulkSelection;
  /** Called when a change has started, so that the selection can be cleared. */
  readonly onDone: () => void;
}

export function AssignButton({ chosen, onDone }: ButtonsProps) {
  return (
    <DialogButton
      label="Assign"
      icon={IconUserEdit}
      needs={[
        ['certificates', 'update'],
        ['raProfiles', 'detail'],
      ]}
      chosen={chosen}
    >
      {(onClose) => <BulkAssignDialog chosen={chosen} onClose={onClose} onDone={onDone} />}
    </DialogButton>
  );
}

/** Offers to archive the selected certificates, and to unarchive them if the selection can contain archived ones. */
export function ArchiveButtons({ chosen, onDone }: ButtonsProps) {
  const { beyond } = chosen;
  const selectWhere = (wanted: (row: ListedCertificate) => boolean): BulkSelection =>
    beyond ? chosen : { rows: chosen.rows.filter(wanted) };
  const [inside, outside] = [
    selectWhere(({ archived }) => archived === true),
    selectWhere(({ archived }) => archived !== true),
  ];
  const mayBeArchived = beyond ? beyond.selection.includeArchived === true : countOf(inside) > 0;
  return (
    <>
      {(countOf(outside) > 0 || !mayBeArchived) && (
        <DialogButton label="Archive" icon={IconArchive} needs={['certificates', 'archive']} chosen={outside}>
          {(onClose) => (
            <ChangeDialog
              title={`Archive ${describeSelection(outside)}?`}
              verb="Archive"
              begin={() => api.certificateChanges.archiveManyCertificates({ body: requestFor(outside) })}
              onClose={onClose}
              onDone={onDone}
            >
              <Text component="div">
                {ARCHIVE_EFFECTS} <Names of={outside} />
              </Text>
            </ChangeDialog>
          )}
        </DialogButton>
      )}
      {mayBeArchived && (
        <DialogButton label="Unarchive" icon={IconArchiveOff} needs={['certificates', 'archive']} chosen={inside}>
          {(onClose) => (
            <ChangeDialog
              title={`Unarchive ${describeSelection(inside)}?`}
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
        </DialogButton>
      )}
    </>
  );
}

export function DeleteButton({ chosen, onDone }: ButtonsProps) {
  return (
    <DialogButton
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
          title={`Delete ${describeSelection(chosen)}?`}
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
    </DialogButton>
  );
}

interface DialogButtonProps {
  readonly label: string;
  readonly icon: Icon;
  readonly needs: Needs;
  readonly isGrave?: boolean;
  readonly chosen: BulkSelection;
  readonly children: (onClose: () => void) => ReactNode;
}

function DialogButton({ label, icon: Mark, needs, isGrave = false, chosen, children }: DialogButtonProps) {
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
