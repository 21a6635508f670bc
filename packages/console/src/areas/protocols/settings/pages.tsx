// Pages for creating and editing a profile.
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { EditPage } from '../../../kit/object-page.tsx';
import type { ProtocolProfile } from '../../../queries/protocols.ts';
import { Page } from '../../../ui/page.tsx';
import { profileWithArticle, type Protocol } from '../protocol.ts';

export function NewProfilePage({ protocol, children }: { readonly protocol: Protocol; readonly children: ReactNode }) {
  const { label, paths } = protocol;
  return (
    <Page
      title={`New ${label} profile`}
      description={`A URL for ${label} clients, with its own rules. Clients can use it as soon as it is created.`}
      parent={{ to: paths.list, label }}
    >
      {children}
    </Page>
  );
}

export function EditProfilePage<Profile extends ProtocolProfile>(props: {
  readonly protocol: Protocol;
  readonly query: UseQueryResult<Profile>;
  readonly children: (profile: Profile) => ReactNode;
}) {
  const { protocol, query, children } = props;
  return (
    <EditPage
      query={query}
      what={profileWithArticle(protocol)}
      paths={protocol.paths}
      description="Changes apply to future requests."
    >
      {children}
    </EditPage>
  );
}
