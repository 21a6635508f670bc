import { paths } from '../../kit/paths.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';

/** In place of a trigger that is not among those that there are. */
export const NoTrigger = () => (
  <Page title="No such automation" parent={{ to: paths.automation.list, label: 'Automation' }}>
    <Panel>
      <Empty title="There is no automation at this address">It may have been removed, or you may not see it.</Empty>
    </Panel>
  </Page>
);
