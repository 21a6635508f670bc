// All CMP, SCEP and EST requests under the RA profiles that the user can see.
import { useSearch } from '@tanstack/react-router';
import type { EnrolmentSearch } from '../../../queries/enrolment-search.ts';
import { Empty } from '../../../ui/outcomes.tsx';
import { Page } from '../../../ui/page.tsx';
import { EnrolmentList } from './enrolment-list.tsx';

export function EnrolmentsPage() {
  const search: EnrolmentSearch = useSearch({ strict: false });
  return (
    <Page
      title="Enrollment requests"
      description="Requests received over CMP, SCEP and EST, their outcome, and the reason for each rejection."
      wide
    >
      <EnrolmentList
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
