import type { Input, Output } from '../../contract/calls.ts'
import type { Api, WriteOptions } from './api.ts'

/** Nouns whose forms are drawn from their fields. */
export type FieldNoun =
  | ('activity' | 'brand' | 'client' | 'group' | 'location' | 'note' | 'notification' | 'partner' | 'question')
  | ('reward' | 'service' | 'survey' | 'team' | 'vip')
/** Those that are edited: users are invited, and occasions belong to an activity. */
export type EditNoun = FieldNoun | 'campaign' | 'event' | 'post' | 'project' | 'promo' | 'quota' | 'user'
/** The calls that create such a record, or edit one. */
export type FieldCall =
  | (`${FieldNoun}.create` | `${EditNoun}.edit` | 'activity.whole')
  | ('project.create' | 'project.edit' | 'campaign.edit' | 'request.create' | 'target.check')

/**
 * Writes a record's fields.
 * The input and the call's schema are made of the same table, so these two casts are the only ones.
 */
export const writeFields = <C extends FieldCall>(
  api: Api,
  call: C,
  input: Readonly<Record<string, unknown>>,
  options?: WriteOptions,
): Promise<Output<C>> => api.write(call, input as Input<C>, options)
/** Tries what `writeFields` would write. */
export const tryFields = <C extends FieldCall>(
  api: Api,
  call: C,
  input: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<Output<C>> => api.dryRun(call, input as Input<C>, signal)
