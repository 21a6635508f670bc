// Call-backs of a form: groups are replaced by the fields that they stand for, lists get their choices, both anew
// whenever a value changes that they depend on.
import type { BaseAttributeDto, BaseAttributeInput, DataAttribute, RequestAttributeCallback } from '@signetry/contract';
import { useDebouncedValue } from '@mantine/hooks';
import { skipToken, useQueries } from '@tanstack/react-query';
import type { ContentItem } from './attribute-content.ts';
import { mappedValues, type ItemsOf } from './callback-request.ts';
import { definitionsOf } from './definitions.ts';

/** Makes a call-back; answers what the connector answers. */
export type CallBack = (request: RequestAttributeCallback, signal: AbortSignal) => Promise<unknown>;

/** What keeps a field from being filled in. */
export type Waiting = 'for others' | 'loading' | { readonly problem: string };

export interface CalledBack {
  readonly definitions: readonly BaseAttributeDto[];
  readonly waitingOf: (definition: Pick<BaseAttributeDto, 'name'>) => Waiting | undefined;
}

export interface CallbackInput {
  readonly source: string;
  readonly definitions: readonly BaseAttributeDto[];
  /** Absent where the definitions have none. */
  readonly callBack: CallBack | undefined;
  /** Items of a field by its definition among these. */
  readonly itemsOf: (definitions: readonly BaseAttributeDto[]) => ItemsOf;
}

/** A value that is being typed is not asked about at every letter. */
const PAUSE_MS = 250;

export function useCallbacks({ source, definitions, callBack, itemsOf }: CallbackInput): CalledBack {
  const groups = useAnswers({
    source,
    callBack,
    definitions: definitions.filter(({ type }) => type === 'group'),
    items: itemsOf(definitions),
    read: (answer) => definitionsOf(answer as BaseAttributeInput[]), // the platform has checked it
  });
  const expanded = definitions.flatMap((definition) => groups.get(definition.name)?.data ?? [definition]);
  const lists = useAnswers({
    source,
    callBack,
    definitions: expanded.filter(isListWithCallback),
    items: itemsOf(expanded),
    read: (answer) => Promise.resolve(answer as ContentItem[]), // the platform has checked it
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
  readonly callBack: CallBack | undefined;
  readonly definitions: readonly BaseAttributeDto[];
  readonly items: ItemsOf;
  readonly read: (answer: unknown) => Promise<Answer>;
}

interface Answered<Answer> {
  readonly data?: Answer | undefined;
  readonly waiting?: Waiting | undefined;
}

function useAnswers<Answer>(asked: CallbackRequest<Answer>): ReadonlyMap<string, Answered<Answer>> {
  const { source, callBack, definitions, items, read } = asked;
  const wanted = definitions.map((definition) => requestOf(definition, items));
  const [settled] = useDebouncedValue(JSON.stringify(wanted), PAUSE_MS);
  // as it was written in the line above
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
    requests.map(({ name, request }, index): [string, Answered<Answer>] => {
      const answer = answers[index];
      if (!request || !callBack) return [name, { waiting: 'for others' }];
      if (answer?.error) return [name, { waiting: { problem: answer.error.message } }];
      return [name, answer?.data === undefined ? { waiting: 'loading' } : { data: answer.data }];
    }),
  );
}

interface OptionsRequest {
  readonly name: string;
  /** Absent while a value is missing. */
  readonly request?: RequestAttributeCallback;
}

function requestOf(definition: BaseAttributeDto, items: ItemsOf): OptionsRequest {
  const { uuid, name } = definition;
  const callback = 'attributeCallback' in definition ? definition.attributeCallback : undefined;
  const values = callback && mappedValues(callback, items);
  return values ? { name, request: { uuid, name, ...values } } : { name };
}
