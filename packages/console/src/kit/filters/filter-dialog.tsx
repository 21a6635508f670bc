// Dialog for adding, changing and removing a list's filters. The list is queried before the dialog closes, so that a
// rejection is shown at the filter.
import { ActionIcon, Button, Select, Text } from '@mantine/core';
import { ApiError } from '@signetry/client';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { SearchFilterRequestDto } from '@signetry/contract';
import { useState } from 'react';
import { capitalize } from '../../format/names.ts';
import { findingsOf } from '../../ui/field-problems.ts';
import { FormDialog } from '../form-dialog.tsx';
import { describeCondition } from './condition-text.ts';
import {
  draftsOf,
  emptyDraft,
  filterOf,
  problemOfDraft,
  problemsByIndex,
  withCondition,
  withField,
  refreshFields,
  type Draft,
} from './drafts.ts';
import type { FieldGroup } from './filter-fields.ts';
import type { CodeTexts } from './filter-text.ts';
import classes from './filters.module.css';
import { ValueEditor } from './value-editor.tsx';

export interface FilterDialogProps {
  readonly groups: readonly FieldGroup[];
  readonly filters: readonly SearchFilterRequestDto[];
  readonly codeWords: CodeTexts;
  /** Index of the filter to edit. If undefined, an empty filter is added. */
  readonly place: number | undefined;
  /** Queries the list with the filters. The promise rejects if the platform rejects them. */
  readonly ask: (filters: readonly SearchFilterRequestDto[]) => Promise<unknown>;
  readonly onChange: (filters: readonly SearchFilterRequestDto[]) => void;
  readonly onClose: () => void;
  readonly wording?: FilterWording;
}

/** Labels for filters that are used as conditions outside of lists. */
export interface FilterWording {
  readonly title: string;
  /** Singular, for use within a sentence. */
  readonly one: string;
  readonly none: string;
}

const ofLists: FilterWording = {
  title: 'Filters',
  one: 'filter',
  none: 'No filters. The list shows all objects that you can view.',
};

type Problems = ReadonlyMap<number, string>;
const NONE: Problems = new Map();

/** Render this only while the dialog is open and once the fields are known. */
export function FilterDialog(props: FilterDialogProps) {
  const { groups, filters, codeWords, place, ask, onChange, onClose, wording = ofLists } = props;
  const [kept, setDrafts] = useState(() => initialDrafts(props));
  // A field's choices can be loaded while the dialog is open.
  const drafts = refreshFields(
    kept,
    groups.flatMap(({ fields }) => fields),
  );
  const [problems, setProblems] = useState(NONE);
  const change = (next: readonly Draft[]): void => {
    setDrafts(next);
    setProblems(NONE);
  };
  const ids = (at: ReadonlyMap<number, string>): Problems =>
    new Map([...at].map(([index, problem]) => [drafts[index]?.id ?? -1, problem]));
  // Added lines are ignored if no field is selected.
  const sent = drafts.filter(({ field, unknown }) => field !== undefined || unknown !== undefined);
  return (
    <FormDialog
      title={wording.title}
      submitLabel={sent.length === 0 && filters.length > 0 ? `Remove all ${wording.one}s` : 'Apply'}
      size="58rem"
      onClose={onClose}
      further={{
        check: () => {
          const found = new Map(sent.flatMap((draft) => entryOf(draft.id, problemOfDraft(draft))));
          setProblems(found);
          return found.size === 0;
        },
        refuse: (refusals) => {
          const { at, rest } = problemsByIndex(drafts.map(identifierOf), refusals);
          setProblems(ids(at));
          return rest;
        },
      }}
      submit={async () => {
        const next = sent.map(filterOf);
        await ask(next).catch((error: unknown) => {
          throw splitFindings(error);
        });
        onChange(next);
      }}
    >
      {drafts.length === 0 && <Text c="dimmed">{wording.none}</Text>}
      {drafts.map((draft, index) => (
        <FilterLine
          key={draft.id}
          draft={draft}
          number={index + 1}
          what={wording.one}
          groups={groups}
          codeWords={codeWords}
          problem={problems.get(draft.id)}
          hasFocus={index === (place ?? drafts.length - 1)}
          onChange={(next) => change(drafts.map((each) => (each.id === draft.id ? next : each)))}
          onRemove={() => change(drafts.filter(({ id }) => id !== draft.id))}
        />
      ))}
      <div>
        <Button
          variant="subtle"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => change([...drafts, emptyDraft(newId(drafts))])}
        >
          Add {wording.one}
        </Button>
      </div>
    </FormDialog>
  );
}

/** Splits combined problems into individual ones, even if the platform returned them in one message. */
const splitFindings = (error: unknown): unknown =>
  error instanceof ApiError
    ? new ApiError(error.status, { ...error, message: error.message, problems: findingsOf(error) })
    : error;

function initialDrafts({ filters, groups, place }: FilterDialogProps): readonly Draft[] {
  const drafts = draftsOf(
    filters,
    groups.flatMap(({ fields }) => fields),
  );
  return place === undefined ? [...drafts, emptyDraft(newId(drafts))] : drafts;
}

const newId = (drafts: readonly Draft[]): number => Math.max(-1, ...drafts.map(({ id }) => id)) + 1;

const entryOf = (id: number, problem: string | undefined): [number, string][] =>
  problem === undefined ? [] : [[id, problem]];

const identifierOf = ({ field, unknown }: Draft) => ({
  fieldIdentifier: (field ?? unknown)?.fieldIdentifier ?? '',
});

interface FilterLineProps {
  readonly draft: Draft;
  readonly number: number;
  readonly what: string;
  readonly groups: readonly FieldGroup[];
  readonly codeWords: CodeTexts;
  readonly problem: string | undefined;
  readonly hasFocus: boolean;
  readonly onChange: (draft: Draft) => void;
  readonly onRemove: () => void;
}

function FilterLine(props: FilterLineProps) {
  const { draft, number, what, groups, codeWords, problem, hasFocus, onChange, onRemove } = props;
  const { field, unknown, condition } = draft;
  const fields = groups.flatMap((group) => group.fields);
  return (
    <div
      role="group"
      aria-label={`${capitalize(what)} ${number}`}
      className={classes.line}
      data-bad={problem !== undefined || undefined}
    >
      <div className={classes.controls}>
        <Select
          aria-label={`Field of ${what} ${number}`}
          placeholder={unknown ? `Unknown field: ${unknown.fieldIdentifier}` : 'Choose a field'}
          searchable
          nothingFoundMessage="No fields found"
          maxDropdownHeight={320}
          data={groups.map(({ group, fields: items }) => ({
            group,
            items: items.map(({ key, name }) => ({ value: key, label: name })),
          }))}
          data-autofocus={hasFocus || undefined}
          value={field?.key ?? null}
          error={problem !== undefined && !field}
          onChange={(key) => {
            const next = fields.find((each) => each.key === key);
            if (next) onChange(withField(draft, next));
          }}
        />
        <ConditionSelect draft={draft} number={number} what={what} onChange={onChange} />
        <ValueEditor
          // The key creates a new editor whenever the field or the condition changes.
          key={`${field?.key} ${condition}`}
          draft={draft}
          label={`Value of ${what} ${number}`}
          codeWords={codeWords}
          hasProblem={problem !== undefined}
          onChange={(values) => onChange({ ...draft, values })}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          className={classes.remove ?? ''}
          aria-label={`Remove ${what} ${number}`}
          onClick={onRemove}
        >
          <IconTrash size={16} aria-hidden="true" />
        </ActionIcon>
      </div>
      {problem !== undefined && (
        <Text size="xs" c="var(--bad)" role="alert" mt={6}>
          {problem}
        </Text>
      )}
    </div>
  );
}

function ConditionSelect({
  draft,
  number,
  what,
  onChange,
}: Pick<FilterLineProps, 'draft' | 'number' | 'what' | 'onChange'>) {
  const { field, condition } = draft;
  return (
    <Select
      aria-label={`Condition of ${what} ${number}`}
      disabled={!field}
      maxDropdownHeight={400}
      data={(field?.conditions ?? []).map((each) => ({
        value: each,
        label: describeCondition(each, field?.type ?? 'string'),
      }))}
      value={field ? condition : null}
      onChange={(value) => {
        const next = field?.conditions.find((each) => each === value);
        if (next) onChange(withCondition(draft, next));
      }}
    />
  );
}
