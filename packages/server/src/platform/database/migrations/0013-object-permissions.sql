-- What a role allows or denies on single objects; a denial wins over everything that any role allows. Apart from role_permission,
-- whose readers of the previous version would take such rows for rights on the whole resource.
CREATE TABLE role_object_permission (
  role_uuid uuid NOT NULL REFERENCES role (uuid) ON DELETE CASCADE,
  resource text NOT NULL,
  object_uuid uuid NOT NULL,
  action text NOT NULL,
  denied boolean NOT NULL,
  PRIMARY KEY (role_uuid, resource, object_uuid, action)
);
