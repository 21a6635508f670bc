// Pages for adding and editing a custom attribute.
import { useQuery } from '@tanstack/react-query';
import { EditPage } from '../../kit/object-page.tsx';
import { paths } from '../../kit/paths.ts';
import { useUuid } from '../../kit/routes.ts';
import { customAttributeQuery } from '../../queries/custom-attributes.ts';
import { Page } from '../../ui/page.tsx';
import { CustomAttributeForm } from './custom-attribute-form.tsx';

export function NewCustomAttributePage() {
  return (
    <Page
      title="New custom attribute"
      description="The name and content type cannot be changed later."
      parent={{ to: paths.customAttributes.list, label: 'Custom attributes' }}
    >
      <CustomAttributeForm />
    </Page>
  );
}

export function EditCustomAttributePage() {
  return (
    <EditPage
      query={useQuery(customAttributeQuery(useUuid()))}
      what="the custom attribute"
      paths={paths.customAttributes}
      description="Existing values of objects are not changed."
    >
      {(attribute) => <CustomAttributeForm attribute={attribute} />}
    </EditPage>
  );
}
