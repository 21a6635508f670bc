// Queries for the audit log pages.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import { auditFilters, type AuditSearch } from './audit-search.ts';

export const RECORDS_PER_PAGE = 50;

export const auditListQuery = ({ page = 1, record: _record, ...search }: AuditSearch) =>
  queryOptions({
    queryKey: ['audit', 'list', search, page],
    queryFn: ({ signal }) =>
      api.auditLogs.listAuditLogs(
        { body: { filters: auditFilters(search), itemsPerPage: RECORDS_PER_PAGE, pageNumber: page } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
