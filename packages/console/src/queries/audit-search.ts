// Search parameters for the audit log. Links and the back button restore the same records.
import type {
  AuditModule,
  AuditOperation,
  OperationResult,
  Resource,
  SearchFilterRequestDto,
} from '@signetry/contract';
import { readPage } from '../kit/list-search.ts';

export interface AuditSearch {
  /** Period that ends now, as an ISO 8601 duration. */
  readonly within?: string;
  /** Part of the actor's name. */
  readonly actor?: string;
  readonly operation?: AuditOperation;
  readonly resource?: Resource;
  /** Name or identifier of an object, as recorded. */
  readonly object?: string;
  readonly module?: AuditModule;
  readonly result?: OperationResult;
  readonly page?: number;
  /** The record shown next to the list. */
  readonly record?: number;
}

export const PERIODS = { PT1H: 'Last hour', P1D: 'Last 24 hours', P7D: 'Last 7 days', P30D: 'Last 30 days' } as const;

/** Returns the API code. Only its syntax is checked here; the platform validates the code itself. */
const codeOf = (given: unknown): string | undefined =>
  typeof given === 'string' && /^[A-Za-z]+$/.test(given) ? given : undefined;

const textOf = (given: unknown): string | undefined => {
  const text = typeof given === 'number' ? String(given) : given;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

/** Reads the search parameters. URLs are untrusted, so malformed parameters are dropped. */
export function readAuditSearch(given: Record<string, unknown>): AuditSearch {
  const read = {
    within: Object.keys(PERIODS).find((period) => period === given['within']),
    actor: textOf(given['actor']),
    operation: codeOf(given['operation']),
    resource: codeOf(given['resource']),
    object: textOf(given['object']),
    module: codeOf(given['module']),
    result: codeOf(given['result']),
    record: typeof given['record'] === 'number' ? given['record'] : undefined,
    ...readPage(given['page']),
  };
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)) as AuditSearch;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function auditFilters(search: AuditSearch): SearchFilterRequestDto[] {
  const filter = (field: string, condition: SearchFilterRequestDto['condition'], value: unknown) =>
    value === undefined
      ? []
      : [{ fieldSource: 'property' as const, fieldIdentifier: `AUDIT_LOG_${field}`, condition, value }];
  const { within, actor, operation, resource, object, module, result } = search;
  return [
    ...filter('TIMESTAMP', 'IN_PAST', within),
    ...filter('ACTOR_NAME', 'CONTAINS', actor),
    ...filter('OPERATION', 'EQUALS', operation && [operation]),
    ...filter('RESOURCE', 'EQUALS', resource && [resource]),
    ...filter(object && UUID.test(object) ? 'RESOURCE_UUID' : 'RESOURCE_NAME', 'EQUALS', object),
    ...filter('MODULE', 'EQUALS', module && [module]),
    ...filter('OPERATION_RESULT', 'EQUALS', result && [result]),
  ];
}
