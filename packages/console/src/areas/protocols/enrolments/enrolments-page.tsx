// Every request that came over CMP, SCEP and EST under the RA profiles that the user may see.
import { useSearch } from '@tanstack/react-router';
import type { EnrolmentSearch } from '../../../queries/enrolment-search.ts';
import { Empty } from '../../../ui/outcomes.tsx';
import { Page } from '../../../ui/page.tsx';
import { EnrolmentList } from './enrolment-list.tsx';

export function EnrolmentsPage() {
  const search: EnrolmentSearch = useSearch({ strict: false });
  return (
    <Page
      title="Requests"
      description="What clients asked for over CMP, SCEP and EST, what became of it, and why if it was refused."
      wide
    >
      <EnrolmentList
        search={search}
        empty={
          <Empty title="No requests yet">
            What clients ask for over CMP, SCEP and EST appears here. Requests are kept for some weeks after their end.
          </Empty>
        }
      />
    </Page>
  );
}
