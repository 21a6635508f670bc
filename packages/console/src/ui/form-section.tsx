// Section of a form. Its heading is next to the fields on wide screens, above them on narrow ones.
import { Text, Title } from '@mantine/core';
import { useId, type ReactNode } from 'react';
import classes from './form-section.module.css';

export interface FormSectionProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
}

export function FormSection({ title, description, children }: FormSectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.heading}>
        <Title order={2} id={id} className={classes.title}>
          {title}
        </Title>
        {description && (
          <Text size="sm" c="dimmed">
            {description}
          </Text>
        )}
      </div>
      <div className={classes.fields}>{children}</div>
    </section>
  );
}
