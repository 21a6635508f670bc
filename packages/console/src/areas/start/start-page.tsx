// What needs attention, and the way to a first certificate where there is none.
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useProfile } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { certificateListQuery } from '../certificates/queries.ts';

export function StartPage() {
  const { username } = useProfile();
  const { data } = useQuery(certificateListQuery({ size: 25 }));
  return (
    <Page title="Overview" description={`Signed in as ${username}.`}>
      <Panel title="Certificates">
        <Text mb="md">{data ? `${data.totalItems} in the inventory.` : 'Counting…'}</Text>
        <Button component={Link} to={paths.certificates} variant="default">
          Open the inventory
        </Button>
      </Panel>
    </Page>
  );
}
