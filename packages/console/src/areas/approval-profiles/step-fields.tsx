// One step of an approval profile: approvers, required approvals and description.
import { ActionIcon, Group, NumberInput, SegmentedControl, Select, TextInput, Tooltip } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconX, type Icon } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useGroups, useUsers } from '../../queries/people.ts';
import { useRoles } from '../../queries/roles.ts';
import type { ApproverKind, EnteredStep } from './profile-values.ts';
import classes from './steps.module.css';

const kinds: readonly { readonly value: ApproverKind; readonly label: string }[] = [
  { value: 'role', label: 'Role' },
  { value: 'group', label: 'Group' },
  { value: 'user', label: 'User' },
];

export interface StepFieldsProps {
  readonly step: EnteredStep;
  /** Zero-based index. */
  readonly place: number;
  readonly count: number;
  readonly onChange: (step: EnteredStep) => void;
  readonly onMove: (by: -1 | 1) => void;
  readonly onRemove: () => void;
}

export function StepFields({ step, place, count, onChange, onMove, onRemove }: StepFieldsProps) {
  const { kind, requiredApprovals, description } = step;
  const name = `step ${place + 1}`;
  return (
    <fieldset className={classes.step}>
      <legend className={classes.legend}>Step {place + 1}</legend>
      <div className={classes.tools}>
        <Tool label={`Move ${name} up`} icon={IconArrowUp} isIdle={place === 0} onClick={() => onMove(-1)} />
        <Tool label={`Move ${name} down`} icon={IconArrowDown} isIdle={place === count - 1} onClick={() => onMove(1)} />
        <Tool label={`Remove ${name}`} icon={IconX} isIdle={count === 1} onClick={onRemove} />
      </div>
      <SegmentedControl
        aria-label={`Approver type for ${name}`}
        size="xs"
        data={[...kinds]}
        value={kind}
        onChange={(value) => {
          const chosen = kinds.find((each) => each.value === value)?.value ?? kind;
          onChange({ ...step, kind: chosen, approver: null, approverName: undefined });
        }}
      />
      <Group align="flex-start" grow preventGrowOverflow={false} gap="sm">
        <ApproverSelect step={step} onChange={(approver) => onChange({ ...step, approver })} />
        {kind !== 'user' && (
          <NumberInput
            label="Required approvals"
            min={1}
            max={100}
            clampBehavior="blur"
            allowDecimal={false}
            maw="10rem"
            value={requiredApprovals}
            onChange={(value) => onChange({ ...step, requiredApprovals: Number(value) })}
          />
        )}
      </Group>
      <TextInput
        label="Description"
        placeholder="For example, what to check"
        value={description}
        onChange={(event) => onChange({ ...step, description: event.currentTarget.value })}
      />
    </fieldset>
  );
}

interface ApproverSelectProps {
  readonly step: EnteredStep;
  readonly onChange: (approver: string | null) => void;
}

/** The selected approver remains an option, even if it was deleted or the user cannot list it. */
function ApproverSelect({ step: { kind, approver, approverName }, onChange }: ApproverSelectProps) {
  const users = useQuery({
    ...useUsers(),
    select: (all) => all.map(({ uuid, username }) => ({ uuid, name: username })),
  });
  const groups = useQuery(useGroups());
  const roles = useQuery(useRoles());
  const { data, fetchStatus, isPending } = { user: users, group: groups, role: roles }[kind];
  const mayNotList = isPending && fetchStatus === 'idle';
  const label = kinds.find(({ value }) => value === kind)?.label ?? kind;
  const choices = (data ?? []).map(({ uuid, name }) => ({ value: uuid, label: name }));
  const isListed = approver === null || choices.some(({ value }) => value === approver);
  return (
    <Select
      label={label}
      placeholder={mayNotList ? `No permission to list ${kind}s` : 'Choose one'}
      required
      searchable
      nothingFoundMessage={`No matching ${kind}`}
      data={isListed ? choices : [{ value: approver, label: approverName ?? `${approver} (deleted)` }, ...choices]}
      value={approver}
      onChange={onChange}
    />
  );
}

interface ToolProps {
  readonly label: string;
  readonly icon: Icon;
  /**
   * Whether the button has no effect for this step. It stays focusable so that moving a step to the end with the
   * keyboard does not lose the focus.
   */
  readonly isIdle: boolean;
  readonly onClick: () => void;
}

const Tool = ({ label, icon: Drawn, isIdle, onClick }: ToolProps) => (
  <Tooltip label={label} disabled={isIdle}>
    <ActionIcon
      variant="subtle"
      color="gray"
      size="md"
      aria-label={label}
      aria-disabled={isIdle}
      data-disabled={isIdle || undefined}
      onClick={() => {
        if (!isIdle) onClick();
      }}
    >
      <Drawn size={16} aria-hidden="true" />
    </ActionIcon>
  </Tooltip>
);
