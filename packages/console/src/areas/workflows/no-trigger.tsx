import { paths } from '../../kit/paths.ts';
import { Empty } from '../../ui/outcomes.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';

/** Shown if the trigger does not exist. */
export const NoTrigger = () => (
  <Page title="Rule not found" parent={{ to: paths.automation.list, label: 'Automation' }}>
    <Panel>
      <Empty title="No rule at this URL">It may have been removed, or you do not have permission to view it.</Empty>
    </Panel>
  </Page>
);
