// The frame of a form: its parts, what the platform refused, and the buttons, which stay in sight below.
import { Button, Group } from '@mantine/core';
import { ApiError } from '@signetry/client';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { Callout } from './callout.tsx';
import classes from './form.module.css';
import { wordsOf } from './outcomes.tsx';
import { useUnsaved } from './unsaved.tsx';

/** What stands above the buttons after a refusal. */
export interface FormRefusal {
  readonly title: string;
  readonly problems: readonly string[];
}

export interface FormProps {
  /** Read aloud, e.g. "New RA profile". */
  readonly label: string;
  readonly submitLabel: string;
  readonly cancelTo: string;
  readonly isPending: boolean;
  readonly isDirty: boolean;
  readonly refusal?: FormRefusal | undefined;
  /** What is missing before it can be sent. */
  readonly missing?: string | undefined;
  /** Resolves to where to go next; undefined when it was refused. */
  readonly onSubmit: () => Promise<(() => void) | undefined>;
  readonly children: ReactNode;
}

export function Form(props: FormProps) {
  const { label, submitLabel, cancelTo, isPending, isDirty, refusal, missing, onSubmit, children } = props;
  const unsaved = useUnsaved(isDirty);
  const form = useRef<HTMLFormElement>(null);
  // What was refused is mended where it stands.
  useEffect(() => {
    if (refusal) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusal]);
  const submit = async (): Promise<void> => {
    const leave = await onSubmit();
    if (!leave) return;
    unsaved.release();
    leave();
  };
  return (
    <form
      ref={form}
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
        {refusal && (
          <Callout tone="bad" title={refusal.title} urgent>
            {refusal.problems.map((problem) => (
              <p key={problem} className={classes.problem}>
                {problem}
              </p>
            ))}
          </Callout>
        )}
        <Group justify="flex-end" gap="sm">
          {missing !== undefined && <span className={classes.missing}>{missing}</span>}
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

/** What the platform said, once each problem that names a field went there; `place` answers those that name none. */
export function refusalOf(error: unknown, place: (problems: readonly string[]) => readonly string[]): FormRefusal {
  const { title, text } = wordsOf(error);
  if (!(error instanceof ApiError)) return { title, problems: [text] };
  const rest = place(error.problems.length > 0 ? error.problems : [error.message]);
  return { title, problems: rest.length > 0 ? rest : ['What is wrong stands at the fields above.'] };
}
