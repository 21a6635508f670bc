// Why the platform rejected a request, shown in the form or dialog that sent it.
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Callout } from './callout.tsx';
import { wordsOf } from './outcomes.tsx';

/** Error message in a dialog. */
export function Refusal({ error }: { readonly error: unknown }) {
  if (!error) return null;
  const { title, text } = wordsOf(error);
  return (
    <Text c="var(--bad)" size="sm" role="alert">
      {title}: {text}
    </Text>
  );
}

/** Why a form was rejected, without the problems that are shown at its fields. */
export interface FormRefusal {
  readonly title: string;
  readonly problems: readonly string[];
}

export interface RefusalCalloutProps {
  readonly refusal: FormRefusal | undefined;
  readonly children?: ReactNode;
}

/** Error message above the buttons of a form. */
export function RefusalCallout({ refusal, children }: RefusalCalloutProps) {
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
