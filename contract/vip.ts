import { z } from 'zod'
import { Allowed, call, Flag, Id, listOf } from './call.ts'
import { crudCalls } from './crudCalls.ts'
import { createShape } from './fieldInput.ts'
import { listInput } from './listInput.ts'
import { sortsOf } from './lists.ts'
import { vipFields } from './vipFields.ts'

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

const sorted = listInput(sortsOf('vip'))

export const vipCalls = {
  ...crudCalls('vip', {
    at: '/v3/portal/vip_experiences',
    wraps: 'vip_experience',
    record: Vip,
    create: { project_id: Id, ...createShape(vipFields) },
    edit: createShape(vipFields),
    about: {
      get: 'Returns one VIP experience.',
      create: 'Adds a VIP experience to a project.',
      edit: 'Renames a VIP experience.',
      remove: 'Deletes a VIP experience softly; its awards stay in the list of awards.',
    },
  }),
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
} as const
