// Form for a new or existing object: sections, errors reported by the platform, and buttons that stay visible.
import { Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { RejectionCallout } from '../ui/rejection.tsx';
import { useUnsaved } from '../ui/unsaved.tsx';
import classes from './object-form.module.css';
import type { ObjectFormModel } from './use-object-form.ts';

export interface ObjectFormProps {
  /** The form returned by `useObjectForm`. */
  readonly form: Omit<ObjectFormModel<object>, 'values' | 'further' | 'set' | 'problemOf' | 'text' | 'flag'>;
  /** Message about what is missing before the form can be submitted. */
  readonly missing?: string | undefined;
  /** Shown next to the buttons while nothing is missing. */
  readonly note?: string;
  readonly children: ReactNode;
}

export function ObjectForm({ form, children, note, ...props }: ObjectFormProps) {
  const { label, submitLabel, cancelTo, isPending, isDirty, refusal } = form;
  const missing = form.missing ?? props.missing;
  const unsaved = useUnsaved(isDirty);
  const element = useRef<HTMLFormElement>(null);
  // Moves the focus to the first rejected field.
  useEffect(() => {
    if (refusal) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusal]);
  const submit = async (): Promise<void> => {
    const leave = await form.submit();
    if (!leave) return;
    unsaved.release();
    leave();
  };
  return (
    <form
      ref={element}
      aria-label={label}
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending && missing === undefined) void submit();
      }}
    >
      {unsaved.guard}
      <div>{children}</div>
      <div className={classes.foot}>
        <RejectionCallout refusal={refusal} />
        <Group justify="flex-end" gap="sm">
          {(missing ?? note) !== undefined && <span className={classes.missing}>{missing ?? note}</span>}
          <Button variant="default" component={Link} to={cancelTo}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending} disabled={missing !== undefined}>
            {submitLabel}
          </Button>
        </Group>
      </div>
    </form>
  );
}
