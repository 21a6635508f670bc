// Users as returned by the queries.
import type { UserDetailDto, UserDto } from '@signetry/contract';

/** `name` contains the username, because all console objects have a `name`. */
export type User = UserDto & { readonly name: string };
export type UserDetail = UserDetailDto & { readonly name: string };
