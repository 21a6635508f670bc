// Dialog for the audit log settings.
import { MultiSelect, Select, Switch } from '@mantine/core';
import type { AuditLoggingSettingsDto, LoggingSettingsDto } from '@signetry/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { loggingSettingsQuery } from '../../queries/settings.ts';
import { Callout } from '../../ui/callout.tsx';
import { moduleChoices, outputChoices, resourceChoices } from './texts.ts';

export interface LoggingDialogProps {
  readonly settings: LoggingSettingsDto;
  readonly onClose: () => void;
}

export function LoggingDialog({ settings, onClose }: LoggingDialogProps) {
  const queries = useQueryClient();
  const [audit, setAudit] = useState(settings.auditLogs);
  const change = (changes: Partial<AuditLoggingSettingsDto>) => setAudit({ ...audit, ...changes });
  const submit = async (): Promise<void> => {
    await api.loggingSettings.updateLoggingSettings({ body: { ...settings, auditLogs: audit } });
    await queries.invalidateQueries({ queryKey: loggingSettingsQuery.queryKey });
  };
  return (
    <FormDialog title="Audit log" submitLabel="Save" onClose={onClose} submit={submit}>
      <Select
        label="Destination"
        allowDeselect={false}
        data={[...outputChoices]}
        value={audit.output}
        onChange={(value) =>
          change({ output: outputChoices.find((each) => each.value === value)?.value ?? 'DATABASE' })
        }
      />
      {audit.output === 'NONE' || audit.output === 'CONSOLE' ? (
        <Callout tone="warn" title="New records cannot be searched or verified">
          Existing records are kept. This change itself is still recorded.
        </Callout>
      ) : null}
      {audit.output !== 'NONE' && <AuditScopeFields settings={audit} change={change} />}
    </FormDialog>
  );
}

interface AuditScopeFieldsProps {
  readonly settings: AuditLoggingSettingsDto;
  readonly change: (changes: Partial<AuditLoggingSettingsDto>) => void;
}

function AuditScopeFields({ settings, change }: AuditScopeFieldsProps) {
  const { logAllModules, logAllResources, verbose = false } = settings;
  return (
    <>
      <Switch
        label="All modules"
        checked={logAllModules}
        onChange={(event) => change({ logAllModules: event.currentTarget.checked })}
      />
      {!logAllModules && (
        <MultiChoice
          label="Modules"
          choices={moduleChoices}
          chosen={settings.loggedModules}
          onChange={(loggedModules) => change({ loggedModules })}
        />
      )}
      <MultiChoice
        label="Excluded modules"
        choices={moduleChoices}
        chosen={settings.ignoredModules}
        onChange={(ignoredModules) => change({ ignoredModules })}
      />
      <Switch
        label="All object types"
        checked={logAllResources}
        onChange={(event) => change({ logAllResources: event.currentTarget.checked })}
      />
      {!logAllResources && (
        <MultiChoice
          label="Object types"
          choices={resourceChoices}
          chosen={settings.loggedResources}
          onChange={(loggedResources) => change({ loggedResources })}
        />
      )}
      <MultiChoice
        label="Excluded object types"
        choices={resourceChoices}
        chosen={settings.ignoredResources}
        onChange={(ignoredResources) => change({ ignoredResources })}
      />
      <Switch
        label="Record request parameters"
        description="Secrets are omitted."
        checked={verbose}
        onChange={(event) => change({ verbose: event.currentTarget.checked })}
      />
    </>
  );
}

interface MultiChoiceProps<Code extends string> {
  readonly label: string;
  readonly choices: readonly { readonly value: Code; readonly label: string }[];
  readonly chosen: readonly Code[] | undefined;
  readonly onChange: (chosen: Code[]) => void;
}

function MultiChoice<Code extends string>({ label, choices, chosen = [], onChange }: MultiChoiceProps<Code>) {
  return (
    <MultiSelect
      label={label}
      placeholder={chosen.length === 0 ? 'None' : ''}
      searchable
      clearable
      hidePickedOptions
      nothingFoundMessage="Nothing found"
      data={[...choices]}
      value={[...chosen]}
      onChange={(values) =>
        onChange(choices.map(({ value }) => value).filter((value) => (values as readonly string[]).includes(value)))
      }
    />
  );
}
