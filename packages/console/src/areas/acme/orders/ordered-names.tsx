// The names of an order, with the profile that it chose and the reason if it failed. On narrow screens also when it was
// placed.
import { Text } from '@mantine/core';
import { useMayList } from '../../../api/session.ts';
import { paths } from '../../../kit/paths.ts';
import { FoldedNames } from '../../../ui/folded-names.tsx';
import { ObjectLink } from '../../../ui/object-link.tsx';
import type { Order } from '../shapes.ts';
import classes from './orders.module.css';
import { Placed } from './placed.tsx';

export const titleOfOrder = ({ names }: Order): string => names.join(', ');

export function OrderedNames({ order }: { readonly order: Order }) {
  const { names, profile, certificateUuid, error } = order;
  const mayList = useMayList();
  const isLinked = certificateUuid !== undefined && mayList('certificates');
  return (
    <div className={classes.order}>
      <FoldedNames
        names={names}
        {...(isLinked && {
          draw: (title: string) => <ObjectLink to={paths.certificates.one(certificateUuid)} name={title} />,
        })}
      />
      {profile !== undefined && (
        <Text size="xs" c="dimmed" className={classes.profile}>
          Profile: {profile}
        </Text>
      )}
      {error !== undefined && (
        <Text size="xs" className={classes.reason}>
          {error}
        </Text>
      )}
      <div className={classes.placed}>
        <Placed order={order} />
      </div>
    </div>
  );
}
