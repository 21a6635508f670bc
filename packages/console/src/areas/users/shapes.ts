// Users as the queries answer them.
import type { UserDetailDto, UserDto } from '@signetry/contract';

/** The username is the name, as other objects have it. */
export type User = UserDto & { readonly name: string };
export type UserDetail = UserDetailDto & { readonly name: string };
