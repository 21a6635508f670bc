// Audit log filters.
import { Select } from '@mantine/core';
import { OperationResult } from '@signetry/contract';
import type { SearchChange } from '../../kit/use-list-search.ts';
import { PERIODS, readAuditSearch, type AuditSearch } from '../../queries/audit-search.ts';
import { SearchField } from '../../ui/search-field.tsx';
import classes from './audit.module.css';
import { moduleChoices, operationChoices, resourceChoices } from './texts.ts';

export interface FiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (change: SearchChange<AuditSearch>) => void;
}

const periods = Object.entries(PERIODS).map(([value, label]) => ({ value, label }));
const results = OperationResult.options.map((value) => ({ value, label: OperationResult.labels[value] }));

export function Filters({ search, onChange }: FiltersProps) {
  return (
    <>
      <SearchField
        label="Actor"
        placeholder="Actor: username"
        text={search.actor ?? ''}
        onSearch={(actor) => onChange({ actor, record: undefined })}
      />
      <SearchField
        label="Object"
        placeholder="Object: name or UUID"
        text={search.object ?? ''}
        onSearch={(object) => onChange({ object, record: undefined })}
      />
      <Choice label="Any time" field="within" choices={periods} search={search} onChange={onChange} />
      <Choice label="Any operation" field="operation" choices={operationChoices} search={search} onChange={onChange} />
      <Choice label="Any object type" field="resource" choices={resourceChoices} search={search} onChange={onChange} />
      <Choice label="Any module" field="module" choices={moduleChoices} search={search} onChange={onChange} />
      <Choice label="Any result" field="result" choices={results} search={search} onChange={onChange} />
    </>
  );
}

interface ChoiceProps extends FiltersProps {
  /** Shown while nothing is selected. */
  readonly label: string;
  readonly field: 'within' | 'operation' | 'resource' | 'module' | 'result';
  readonly choices: readonly { readonly value: string; readonly label: string }[];
}

const Choice = ({ label, field, choices, search, onChange }: ChoiceProps) => (
  <Select
    aria-label={label}
    placeholder={label}
    className={classes.choice}
    clearable
    searchable
    nothingFoundMessage="Nothing found"
    data={[...choices]}
    value={search[field] ?? null}
    onChange={(value) =>
      onChange({ [field]: value === null ? undefined : readAuditSearch({ [field]: value })[field], record: undefined })
    }
  />
);
