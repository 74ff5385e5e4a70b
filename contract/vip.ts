import { z } from 'zod'
import { Allowed, call, Done, Flag, Id, Lock, listOf, one } from './call.ts'
import { listInput, needed } from './listInput.ts'
import { sortsOf } from './lists.ts'
import { MESSAGES } from './messages.ts'

/** A reward of a project that isn't money (decisions.md 13, VIP experiences). */
export const Vip = z.object({
  id: z.number(),
  name: z.string(),
  project_id: z.number(),
  project_name: z.string(),
  /** How many people have it, and the first and last award. */
  awarded: z.number(),
  first_award_at: z.string().nullable(),
  last_award_at: z.string().nullable(),
  /** True if it was removed; only awarded=1 lists those. */
  removed: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
  lock_version: z.number(),
  ...Allowed,
})
export type Vip = z.output<typeof Vip>

const name = needed(MESSAGES.vipName)
const sorted = listInput(sortsOf('vip'))
const Written = one(Vip).extend({ message: z.string() })

export const vipCalls = {
  'vip.list': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/vip_experiences',
    about: 'Lists the VIP experiences of a project by name, 10 a page; with awarded=1 only awarded ones, deleted ones too.',
    input: z.object({ id: Id, ...sorted, awarded: Flag.default(false) }),
    output: listOf(Vip),
  }),
  'vip.searchInProject': call({
    method: 'GET',
    path: '/v3/portal/vip_experiences/project/search',
    about: 'Searches the VIP experiences of a project by name, 10 a page.',
    input: z.object({ id: Id, ...sorted }),
    output: listOf(Vip),
  }),
  'vip.search': call({
    method: 'GET',
    path: '/v3/portal/vip_experiences/search',
    about: 'Searches the VIP experiences of all projects by name, 10 a page.',
    input: z.object(sorted),
    output: listOf(Vip),
  }),
  'vip.get': call({
    method: 'GET',
    path: '/v3/portal/vip_experiences/{id}',
    about: 'Returns one VIP experience.',
    input: z.object({ id: Id }),
    output: one(Vip),
  }),
  'vip.create': call({
    method: 'POST',
    path: '/v3/portal/vip_experiences',
    about: 'Adds a VIP experience to a project.',
    wraps: 'vip_experience',
    undo: true,
    input: z.object({ project_id: Id, name }),
    output: Written,
    refreshes: ['history'],
  }),
  'vip.edit': call({
    method: 'PUT',
    path: '/v3/portal/vip_experiences',
    about: 'Renames a VIP experience.',
    wraps: 'vip_experience',
    reads: 'vip.get',
    undo: true,
    input: z.object({ id: Id, name, lock_version: Lock }),
    output: Written,
    refreshes: ['history'],
  }),
  'vip.remove': call({
    method: 'DELETE',
    path: '/v3/portal/vip_experiences',
    about: 'Deletes a VIP experience softly; its awards stay in the list of awards.',
    undo: true,
    input: z.object({ id: Id }),
    output: Done,
    refreshes: ['history'],
  }),
} as const
