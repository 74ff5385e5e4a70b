import { z } from 'zod'
import { Allowed, call, EffectSentence, Id, idList, listOf, one } from './call.ts'
import { DESK_RULE_IDS } from './deskRules.ts'
import { columnWord } from './enums.ts'
import { listInput, Moment } from './listInput.ts'
import { sortsOf } from './lists.ts'

/** Something that needs somebody; derived from a record, so it goes with its cause. */
const DeskLine = z.object({
  id: z.number(),
  rule: columnWord('desk', 'rule').meta({ description: 'Why the record needs somebody.' }),
  line: z.string().meta({ description: 'The same in words.' }),
  detail: z.string().meta({ description: 'The figures behind it: what is missing, how many, until when.' }),
  kind: z.enum(['project', 'campaign', 'import', 'job', 'mail', 'webhook']).meta({ description: 'The noun of the record.' }),
  subject_id: z.number(),
  project_id: z.number().nullable(),
  name: z.string(),
  client: z.string(),
  since: z.string().meta({ description: 'The day since which it needs somebody, YYYY-MM-DD.' }),
  owner: z.string(),
  owner_id: z
    .number()
    .nullable()
    .meta({ description: 'The user whose it is; null for nobody’s, which every administrator has.' }),
  cost_cents: z.number().nullable().meta({ description: 'What it costs to wait, in cents; null if that isn’t known.' }),
  state: columnWord('desk', 'state'),
  acknowledged_by: z.string().meta({ description: 'Who acknowledged it; empty for nobody.' }),
  snoozed_by: z.string().meta({ description: 'Who snoozed it; empty for nobody.' }),
  snoozed_until: z.string().nullable().meta({ description: 'Until when it is snoozed; null until it changes.' }),
  command: z.string().meta({ description: 'The command of the workspace that settles it.' }),
  missing: z.array(z.string()).meta({ description: 'What a project that isn’t live lacks.' }),
  ready: z.array(z.string()).meta({ description: 'What such a project has.' }),
  ...Allowed,
})
export type DeskLine = z.output<typeof DeskLine>

const Ids = idList(1000).refine((ids) => ids.length > 0, { message: 'ids needs at least one id' })
const Changed = one(
  z.object({
    changed: z.number(),
    gone: z.array(z.number()).meta({ description: 'The ids whose lines the caller doesn’t have, or not any more.' }),
  }),
).extend({ message: EffectSentence })

export const deskCalls = {
  'desk.list': call({
    method: 'GET',
    path: '/v3/portal/desk',
    about: 'Lists what needs the caller: the most valuable first, 50 a page. Each line names the command that settles it.',
    input: z.object({
      ...listInput(sortsOf('desk'), 50),
      state: z.enum(['open', 'acknowledged', 'snoozed', 'all']).default('open'),
      whose: z.enum(['mine', 'nobody', 'all']).default('mine').meta({
        description: 'Lines of the caller and those of nobody (mine), only those of nobody, or all that the caller may see.',
      }),
      rule: z.enum(['', ...DESK_RULE_IDS]).default(''),
    }),
    output: listOf(DeskLine),
  }),
  'desk.count': call({
    method: 'GET',
    path: '/v3/portal/desk/count',
    about: 'Counts what needs the caller now, and the records that the caller settled something on today.',
    input: z.object({}),
    output: one(
      z.object({
        open: z.number(),
        settled_today: z.number().meta({ description: 'Records that the caller settled something on today.' }),
        changes_at: z
          .string()
          .meta({ format: 'date-time', description: 'When it changes by itself next: a snooze ends, or a day begins.' }),
      }),
    ),
  }),
  'desk.acknowledge': call({
    method: 'POST',
    path: '/v3/portal/desk/acknowledge',
    about: 'Acknowledges lines of the desk, for everybody who has them, until they change.',
    undo: true,
    input: z.object({ ids: Ids }),
    output: Changed,
  }),
  'desk.snooze': call({
    method: 'POST',
    path: '/v3/portal/desk/snooze',
    about: 'Snoozes lines of the desk, for everybody who has them, until a time, or without one until they change.',
    undo: true,
    input: z.object({ ids: Ids, until: Moment.optional().meta({ description: 'Until when; left out, until they change.' }) }),
    output: Changed,
  }),
  'desk.reopen': call({
    method: 'POST',
    path: '/v3/portal/desk/reopen',
    about: 'Restores lines of the desk that were acknowledged or snoozed.',
    undo: true,
    input: z.object({ ids: Ids }),
    output: Changed,
  }),
  'desk.handOver': call({
    method: 'POST',
    path: '/v3/portal/desk/hand_over',
    about: 'Gives lines of the desk to another administrator; their records keep their owners.',
    undo: true,
    input: z.object({ ids: Ids, owner_id: Id }),
    output: Changed,
  }),
} as const
