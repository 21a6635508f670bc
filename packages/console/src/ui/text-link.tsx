// A link in facts and lists; within a sentence it is underlined to tell it from the words around it, and keeps their
// order where it is a name in another script.
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
      {inSentence ? <bdi>{children}</bdi> : children}
    </Anchor>
  );
}
