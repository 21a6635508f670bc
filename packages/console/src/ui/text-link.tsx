// A link in facts and lists, in the colour of what can be clicked; within a sentence a line tells it from the words
// around it.
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export interface TextLinkProps {
  readonly to: string;
  readonly inSentence?: boolean;
  readonly children: ReactNode;
}

export function TextLink({ to, inSentence = false, children }: TextLinkProps) {
  return (
    <Anchor component={Link} to={to} inherit underline={inSentence ? 'always' : 'hover'}>
      {children}
    </Anchor>
  );
}
