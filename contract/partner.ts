import { z } from 'zod'
import { call, EffectSentence, Id, listOf, one } from './call.ts'
import { crudCalls } from './crudCalls.ts'
import { createShape, editShape } from './fieldInput.ts'
import { listInput, Named } from './listInput.ts'
import { sortsOf } from './lists.ts'
import { partnerFields } from './partnerFields.ts'
import { PARTNER_FILTERS } from './partnerFilters.ts'

/** A channel partner answers feasibility requests by a signed link and has no account (decisions.md 4). */
export const Partner = z.object({
  id: z.number(),
  name: z.string(),
  company_name: z.string(),
  email: z.string(),
  phone: z.string(),
  /** The contact person, and our internal notes. */
  contact: z.string(),
  notes: z.string(),
  /** Invitations without an answer. */
  open_count: z.number(),
  /** Over the last 365 days: percent of invitations answered, median hours to an answer, percent of yes, median CPI. */
  answer_rate: z.number().nullable(),
  answer_hours: z.number().nullable(),
  yes_rate: z.number().nullable(),
  cpi_cents: z.number().nullable(),
  /** Projects of the last 365 days that a client approved with completes of this partner. */
  chosen_count: z.number(),
  answered_at: z.string().nullable(),
  projects_count: z.number(),
  proffers_count: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  lock_version: z.number(),
  allowed_actions: z.array(z.string()),
  refused_actions: z.record(z.string(), z.string()),
})
const columns = sortsOf('partner')
const filter = z.enum(['', ...PARTNER_FILTERS.map(({ value }) => value)]).default('')
const Written = one(Partner).extend({ message: EffectSentence })

export const partnerCalls = {
  ...crudCalls('partner', {
    at: '/v3/portal/partners',
    record: Partner,
    filter: { filter },
    create: createShape(partnerFields),
    edit: editShape(partnerFields),
    refreshes: { edit: ['project'] },
    about: {
      list: 'Lists channel partners by search and filter, with their figures of the last 365 days, 10 a page.',
      get: 'Returns one channel partner.',
      create: 'Adds a channel partner.',
      edit: 'Changes a channel partner: only the fields that are sent.',
      remove: 'Deletes a channel partner softly, unless a project waits for its answer.',
    },
  }),
  'partner.dropdown': call({
    method: 'GET',
    path: '/v3/portal/partners/getall_dropdown',
    about: 'Lists every channel partner by name.',
    input: z.object({}),
    output: listOf(Named),
  }),
  'partner.merge': call({
    method: 'POST',
    path: '/v3/portal/partners/merge',
    about:
      'Merges a channel partner into another: its invitations and answers move, what the other lacks is filled in, and it is deleted. Refused while one round asked both.',
    undo: true,
    input: z.object({ id: Id, into_id: Id }),
    output: Written.extend({ moved: z.object({ invitations: z.number(), answers: z.number() }) }),
    refreshes: ['project', 'proffer', 'history'],
  }),
  'partner.listOlder': call({
    method: 'GET',
    path: '/v1/partners',
    about: 'Lists every channel partner, older spelling: data.data.',
    input: z.object({ search: listInput(columns).search, filter }),
    output: z.object({ data: z.object({ count: z.number(), data: z.array(Partner) }) }),
  }),
} as const
