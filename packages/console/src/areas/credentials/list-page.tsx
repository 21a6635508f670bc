// All credentials.
import type { CredentialDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import { nameColumn } from '../../kit/columns.tsx';
import { ObjectListPage } from '../../kit/object-list-page.tsx';
import { paths } from '../../kit/paths.ts';
import type { WholeColumn } from '../../kit/whole-list.tsx';
import { credentialListQuery } from '../../queries/credentials.ts';

const columns: readonly WholeColumn<CredentialDto>[] = [nameColumn<CredentialDto>(paths.credentials, ({ description }) => description)];

const textOf = ({ name, description }: CredentialDto): string => [name, description].join(' ');

export function CredentialListPage() {
  return (
    <ObjectListPage
      title="Credentials"
      description="__area__, in one sentence."
      paths={paths.credentials}
      create={{ label: 'New credential', needs: ['credentials', 'create'] }}
      query={useQuery(credentialListQuery)}
      what="credentials"
      columns={columns}
      textOf={textOf}
      empty={{ title: 'No credentials yet', text: '__noun__: say what they are good for.' }}
    />
  );
}
