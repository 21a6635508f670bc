// Edits a token. Secrets that are not replaced are kept; the connector determines which settings can still be changed.
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { tokenQuery } from '../../queries/tokens.ts';
import { EditInstancePage } from '../connectors/instance-pages.tsx';
import { kindOf } from './kinds.ts';
import { TokenForm } from './token-form.tsx';

export const EditTokenPage = () => (
  <EditInstancePage
    query={useQuery(tokenQuery(useUuid()))}
    what="the token"
    paths={paths.tokens}
    description="The connector determines which settings can still be changed."
    kindOf={kindOf}
    form={({ instance, ...fields }) => <TokenForm {...fields} token={instance} />}
  />
);
