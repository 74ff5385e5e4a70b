import { z } from 'zod'
import { call, DayOrNull, EffectSentence, Id, listOf } from './call.ts'
import { createShape, orZero } from './fieldInput.ts'
import { numbered } from './listInput.ts'
import { MESSAGES } from './messages.ts'
import { Warnings } from './projectInput.ts'
import { childFields } from './requestFields.ts'
import { inOrder, whenObject } from './whenObject.ts'

const shape = createShape(childFields)
/** One child. The end defaults to 7 days after the start; without a goal the child can't go live. */
const one = {
  name: shape.name,
  start_dt: shape.start_dt,
  end_dt: DayOrNull.default(null),
  goal: orZero(childFields.goal).default(0),
}
/** Runs beside the fields' own rules, so the row may have any shape. */
const isInOrder = (child: { start_dt?: unknown; end_dt?: unknown } | null) => inOrder(child?.start_dt, child?.end_dt)
const order = { path: ['start_dt'], message: MESSAGES.startBeforeEnd, when: whenObject }

/** A parent's new children, for server and browser: the first one, and more in rows. */
export const ChildInput = z
  .object({
    project_id: Id,
    ...shape,
    ...one,
    siblings: z.array(z.object(one).refine(isInOrder, order)).max(childFields.rows.most).default([]),
  })
  .refine(isInOrder, order)

const Person = z.object({ user_id: z.number(), first_name: z.string(), last_name: z.string() })

/** A project's children, teams and available tabs. */
export const projectChildCalls = {
  'project.createChild': call({
    method: 'POST',
    path: '/v3/portal/projects/child',
    about: 'Creates one or several children of a parent, in one transaction, with the parent’s client.',
    wraps: 'project',
    undo: true,
    input: ChildInput,
    output: z.object({
      data: z.object({ child_project_id: z.number(), child_project_ids: z.array(z.number()) }),
      message: EffectSentence,
      warnings: Warnings,
    }),
    refreshes: ['palette', 'file', 'history'],
  }),
  'project.teams': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/teams',
    about: 'Lists the teams of a project with their users, 50 users a page.',
    input: z.object({ id: Id, ...numbered(50) }),
    output: listOf(z.object({ id: z.number(), name: z.string(), users: z.array(Person), users_count: z.number() })),
  }),
  'project.attributes': call({
    method: 'GET',
    path: '/v3/portal/projects/{id}/attributes',
    about: 'Returns a project’s counts by kind, its type, reward provider and categories.',
    input: z.object({ id: Id }),
    output: listOf(
      z.object({ key: z.string(), label: z.string(), value: z.union([z.number(), z.string(), z.array(z.string())]) }),
    ),
  }),
} as const
