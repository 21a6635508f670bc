// Row types for this area's tables (migration 0006-groups).

export type GroupTables = {
  object_group: {
    uuid: string;
    name: string;
    description: string | null;
    email: string | null;
    created_at: Date;
    updated_at: Date;
  };
  group_membership: {
    object_resource: string;
    object_uuid: string;
    group_uuid: string;
  };
};

export type GroupRow = GroupTables['object_group'];
