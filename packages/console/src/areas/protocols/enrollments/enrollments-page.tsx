// All CMP, SCEP and EST requests under the RA profiles that the user can see.
import { useSearch } from '@tanstack/react-router';
import type { EnrollmentSearch } from '../../../queries/enrollment-search.ts';
import { Empty } from '../../../ui/outcomes.tsx';
import { Page } from '../../../ui/page.tsx';
import { EnrollmentList } from './enrollment-list.tsx';

export function EnrollmentsPage() {
  const search: EnrollmentSearch = useSearch({ strict: false });
  return (
    <Page
      title="Enrollment requests"
      description="Requests received over CMP, SCEP and EST, their outcome, and the reason for each rejection."
      wide
    >
      <EnrollmentList
        search={search}
        empty={
          <Empty title="No requests yet">
            Client requests over CMP, SCEP and EST appear here. Completed requests are kept for a few weeks.
          </Empty>
        }
      />
    </Page>
  );
}
