// Link in facts and lists. Within a sentence, the link is underlined to set it apart. It is also isolated from the
// surrounding text direction, in case the name is in a different script.
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
