// Name of an object, as a link to it.
import { Text } from '@mantine/core';
import classes from './object-link.module.css';
import { RowLink } from './row-link.tsx';

export interface ObjectLinkProps {
  readonly to: string;
  readonly name: string;
  /** Single line of text below the name. */
  readonly detail?: string | undefined;
}

export function ObjectLink({ to, name, detail }: ObjectLinkProps) {
  return (
    <>
      <RowLink to={to} className={classes.name}>
        {name}
      </RowLink>
      {detail && (
        <Text span size="xs" c="dimmed" className={classes.detail}>
          {detail}
        </Text>
      )}
    </>
  );
}
