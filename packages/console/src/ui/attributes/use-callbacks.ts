// A form's callbacks: groups are expanded to their fields, and lists get their choices. Both are fetched again when a
// value that they depend on changes.
import type { BaseAttributeDto, BaseAttributeInput, DataAttribute, RequestAttributeCallback } from '@signetry/contract';
import { useDebouncedValue } from '@mantine/hooks';
import { skipToken, useQueries } from '@tanstack/react-query';
import type { ContentItem } from './attribute-content.ts';
import { mappedValues, type ItemsOf } from './callback-request.ts';
import { definitionsOf } from './definitions.ts';

/** Sends a callback and returns the connector's response. */
export type Callback = (request: RequestAttributeCallback, signal: AbortSignal) => Promise<unknown>;

/** Why a field cannot be filled in yet. */
export type Waiting = 'for others' | 'loading' | { readonly problem: string };

export interface CallbackModel {
  readonly definitions: readonly BaseAttributeDto[];
  readonly waitingOf: (definition: Pick<BaseAttributeDto, 'name'>) => Waiting | undefined;
}

export interface CallbackInput {
  readonly source: string;
  readonly definitions: readonly BaseAttributeDto[];
  /** Absent if the definitions have no callbacks. */
  readonly callBack: Callback | undefined;
  /** Returns the items of fields, using these definitions. */
  readonly itemsOf: (definitions: readonly BaseAttributeDto[]) => ItemsOf;
}

/** Debounce interval, so that typing does not trigger a callback per letter. */
const PAUSE_MS = 250;

export function useCallbacks({ source, definitions, callBack, itemsOf }: CallbackInput): CallbackModel {
  const groups = useResponses({
    source,
    callBack,
    definitions: definitions.filter(({ type }) => type === 'group'),
    items: itemsOf(definitions),
    read: (answer) => definitionsOf(answer as BaseAttributeInput[]), // Validated by the platform.
  });
  const expanded = definitions.flatMap((definition) => groups.get(definition.name)?.data ?? [definition]);
  const lists = useResponses({
    source,
    callBack,
    definitions: expanded.filter(isListWithCallback),
    items: itemsOf(expanded),
    read: (answer) => Promise.resolve(answer as ContentItem[]), // Validated by the platform.
  });
  return {
    definitions: expanded.map((definition) => {
      const choices = lists.get(definition.name)?.data;
      return choices && isListWithCallback(definition)
        ? { ...definition, content: choices as DataAttribute['content'] }
        : definition;
    }),
    waitingOf: ({ name }) => (groups.get(name) ?? lists.get(name))?.waiting,
  };
}

const isListWithCallback = (definition: BaseAttributeDto): definition is DataAttribute =>
  definition.type === 'data' && definition.properties.list && definition.attributeCallback !== undefined;

interface CallbackRequest<Answer> {
  readonly source: string;
  readonly callBack: Callback | undefined;
  readonly definitions: readonly BaseAttributeDto[];
  readonly items: ItemsOf;
  readonly read: (answer: unknown) => Promise<Answer>;
}

interface CallbackResult<Answer> {
  readonly data?: Answer | undefined;
  readonly waiting?: Waiting | undefined;
}

function useResponses<Answer>(asked: CallbackRequest<Answer>): ReadonlyMap<string, CallbackResult<Answer>> {
  const { source, callBack, definitions, items, read } = asked;
  const wanted = definitions.map((definition) => requestOf(definition, items));
  const [settled] = useDebouncedValue(JSON.stringify(wanted), PAUSE_MS);
  // Serialized from this type in the line above.
  const requests = (JSON.parse(settled) as ReturnType<typeof requestOf>[]).filter(({ name }) =>
    definitions.some((definition) => definition.name === name),
  );
  const answers = useQueries({
    queries: requests.map(({ name, request }) => ({
      queryKey: ['connectors', 'callbacks', source, name, request],
      queryFn:
        request && callBack
          ? async ({ signal }: { readonly signal: AbortSignal }) => read(await callBack(request, signal))
          : skipToken,
      staleTime: 60_000,
      retry: false,
    })),
  });
  return new Map(
    requests.map(({ name, request }, index): [string, CallbackResult<Answer>] => {
      const answer = answers[index];
      if (!request || !callBack) return [name, { waiting: 'for others' }];
      if (answer?.error) return [name, { waiting: { problem: answer.error.message } }];
      return [name, answer?.data === undefined ? { waiting: 'loading' } : { data: answer.data }];
    }),
  );
}

interface OptionsRequest {
  readonly name: string;
  /** Absent if a value is missing. */
  readonly request?: RequestAttributeCallback;
}

function requestOf(definition: BaseAttributeDto, items: ItemsOf): OptionsRequest {
  const { uuid, name } = definition;
  const callback = 'attributeCallback' in definition ? definition.attributeCallback : undefined;
  const values = callback && mappedValues(callback, items);
  return values ? { name, request: { uuid, name, ...values } } : { name };
}
