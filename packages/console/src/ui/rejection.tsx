// Why the platform rejected a request, shown in the form or dialog that sent it.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Callout } from './callout.tsx';
import { describeError } from './outcomes.tsx';

/** Error message in a dialog. */
export function Rejection({ error }: { readonly error: unknown }) {
  if (!error) return null;
  const { title, text } = describeError(error);
  return (
    <Text c="var(--bad)" size="sm" role="alert">
      {title}: {text}
    </Text>
  );
}

/** Why a form was rejected, without the problems that are shown at its fields. */
export interface FormRejection {
  readonly title: string;
  readonly problems: readonly string[];
}

export interface RejectionCalloutProps {
  readonly refusal: FormRejection | undefined;
  readonly children?: ReactNode;
}

/** Error message above the buttons of a form. */
export function RejectionCallout({ refusal, children }: RejectionCalloutProps) {
  if (!refusal) return null;
  return (
    <Callout tone="bad" title={refusal.title} urgent>
      {refusal.problems.map((problem) => (
        <Text key={problem} inherit mt={2}>
          {problem}
        </Text>
      ))}
      {children}
    </Callout>
  );
}
