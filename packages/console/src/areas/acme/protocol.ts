// The properties of ACME that its form and its settings tab share with the other protocols.
import { api } from '../../api/client.ts';
import { paths } from '../../kit/paths.ts';
import { ACME_KEY } from '../../queries/acme.ts';
import type { FormProtocol } from '../protocol-settings/use-profile-form.ts';

export const acme: FormProtocol = {
  label: 'ACME',
  paths: paths.acme,
  resource: 'acmeProfiles',
  example: 'web',
  enable: (uuid) => api.acmeProfiles.enableAcmeProfile({ params: { uuid } }),
  queryKey: ACME_KEY,
};
