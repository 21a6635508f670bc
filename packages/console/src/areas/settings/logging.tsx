// Shows what the audit log records and where records are stored.
import { Text } from '@mantine/core';
import type { AuditLoggingSettingsDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { ActionButton } from '../../kit/actions.tsx';
import { QueryView } from '../../kit/query-view.tsx';
import { loggingSettingsQuery } from '../../queries/settings.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel } from '../../ui/panel.tsx';
import { describeResources } from '../../format/resources.ts';
import { changeAction } from './change-action.ts';
import { LoggingDialog } from './logging-dialog.tsx';
import { describeModules, describeOutput } from './texts.ts';

export function LoggingPanel() {
  const query = useQuery(loggingSettingsQuery);
  const settings = query.data;
  return (
    <Panel
      title="Audit log"
      actions={
        settings && (
          <ActionButton
            size="xs"
            action={changeAction('the audit log settings', ({ opened, onClose }) =>
              opened ? <LoggingDialog settings={settings} onClose={onClose} /> : null,
            )}
          />
        )
      }
    >
      <QueryView of={query} what="the settings">
        {({ auditLogs }) => <AuditFacts settings={auditLogs} />}
      </QueryView>
    </Panel>
  );
}

const NONE = <Text c="dimmed">None</Text>;

function AuditFacts({ settings }: { readonly settings: AuditLoggingSettingsDto }) {
  const { output, verbose, logAllModules, logAllResources } = settings;
  const { loggedModules = [], ignoredModules = [], loggedResources = [], ignoredResources = [] } = settings;
  return (
    <Facts
      facts={[
        { name: 'Destination', value: describeOutput(output) },
        ...(output === 'NONE'
          ? []
          : [
              { name: 'Modules', value: logAllModules ? 'All' : describeModules(loggedModules) || NONE },
              { name: 'Excluded modules', value: describeModules(ignoredModules) },
              { name: 'Object types', value: logAllResources ? 'All' : describeResources(loggedResources) || NONE },
              { name: 'Excluded object types', value: describeResources(ignoredResources) },
              { name: 'Details', value: verbose ? 'With request parameters, without secrets' : '' },
            ]),
      ]}
    />
  );
}
